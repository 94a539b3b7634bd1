import '@mantine/dropzone/styles.css';

export { Dropzone, IMAGE_MIME_TYPE } from '@mantine/dropzone';
