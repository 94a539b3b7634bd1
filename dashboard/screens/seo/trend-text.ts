import { texts } from '../../text/texts.ts';

export const trendTexts = texts(
  {
    title: 'What scans found over time',
    findings: (count: number, written: string) => (count === 1 ? '1 finding' : `${written} findings`),
    fewer: (count: string) => `${count} fewer than before`,
    more: (count: string) => `${count} more than before`,
    same: 'as many as before',
    bars: (counts: string) => `Findings of each scan, the newest last: ${counts}`,
  },
  {
    title: 'Was Prüfungen im Lauf der Zeit fanden',
    findings: (count: number, written: string) => (count === 1 ? '1 Befund' : `${written} Befunde`),
    fewer: (count: string) => `${count} weniger als zuvor`,
    more: (count: string) => `${count} mehr als zuvor`,
    same: 'so viele wie zuvor',
    bars: (counts: string) => `Befunde jeder Prüfung, die neueste zuletzt: ${counts}`,
  },
);
