import '@mantine/dropzone/styles.css';

export { Dropzone } from '@mantine/dropzone';
