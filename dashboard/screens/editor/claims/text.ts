import { texts } from '../../../text/texts.ts';

export const claimTexts = texts(
  {
    none: 'There are no claims. A run of the pipeline lists what it has written, and looks it up in the sources.',
    summary: (supported: number, all: number) => `${supported} of ${all} supported`,
    onlyWithout: (count: number) => `Only those without a source (${count})`,
    verdicts: { supported: 'Supported', weak: 'Weak', unsupported: 'Without a source' },
    show: (claim: string) => `Show in the text: ${claim}`,
    gone: 'The text does not have this any more.',
    source: (n: number) => `Source ${n}, which the article does not name any more`,
    notes: 'The notes of the topic',
  },
  {
    none: 'Es gibt keine Aussagen. Ein Durchlauf der Pipeline führt auf, was er geschrieben hat, und schlägt es in den Quellen nach.',
    summary: (supported, all) => `${supported} von ${all} belegt`,
    onlyWithout: (count) => `Nur solche ohne Quelle (${count})`,
    verdicts: { supported: 'Belegt', weak: 'Schwach belegt', unsupported: 'Ohne Quelle' },
    show: (claim) => `Im Text zeigen: ${claim}`,
    gone: 'Das steht nicht mehr im Text.',
    source: (n) => `Quelle ${n}, die der Artikel nicht mehr nennt`,
    notes: 'Die Hinweise zum Thema',
  },
);
