import { texts } from '../../../text/texts.ts';

export const imageTexts = texts(
  {
    title: 'Add an image',
    description: 'Description',
    about: 'What people who do not see the image should know. Leave it empty only for decoration.',
    uploading: 'Upload',
    insert: 'Insert image',
    cancel: 'Cancel',
    again: 'Try again',
    upload: 'Upload an image',
    remove: 'Remove the image',
    address: 'Address of the image',
  },
  {
    title: 'Bild hinzufügen',
    description: 'Beschreibung',
    about:
      'Was Menschen wissen sollten, die das Bild nicht sehen. Lassen Sie sie nur bei Schmuckbildern leer.',
    uploading: 'Upload',
    insert: 'Bild einfügen',
    cancel: 'Abbrechen',
    again: 'Erneut versuchen',
    upload: 'Bild hochladen',
    remove: 'Bild entfernen',
    address: 'Adresse des Bildes',
  },
);
