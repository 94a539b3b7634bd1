import type { ReactNode } from 'react';
import type { SeoScan } from '../../../sdk/src/index.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/texts.ts';
import { kinds, severities } from './search.ts';
import { trendTexts } from './trend-text.ts';
import { screenTexts } from './text.ts';
import styles from './trends.module.css';

/** The newest ones of a kind. */
const MOST = 12;

/** What the newest whole scans of each kind found, one after the other: others have not looked at everything. */
export function Trends({ scans }: { readonly scans: readonly SeoScan[] }): ReactNode {
  const text = useText(trendTexts);
  const names = useText(screenTexts).kinds;
  const whole = scans.filter(({ status }) => status === 'completed');
  const trends = kinds
    .map((kind) => ({
      kind,
      scans: whole
        .filter((scan) => scan.kind === kind)
        .slice(0, MOST)
        .toReversed(),
    }))
    .filter(({ scans: ofKind }) => ofKind.length > 1);
  if (trends.length === 0) return null;
  return (
    <section aria-label={text.title}>
      <ul className={styles.trends}>
        {trends.map(({ kind, scans: ofKind }) => (
          <Trend key={kind} name={names[kind]} scans={ofKind} />
        ))}
      </ul>
    </section>
  );
}

const totalOf = ({ found: { error, warning, notice } }: SeoScan): number => error + warning + notice;

interface TrendProps {
  readonly name: string;
  /** The newest one last. */
  readonly scans: readonly SeoScan[];
}

function Trend({ name, scans }: TrendProps): ReactNode {
  const text = useText(trendTexts);
  const format = useFormat();
  const totals = scans.map(totalOf);
  const [now = 0, before = 0] = totals.toReversed();
  const count = format.number(Math.abs(now - before));
  return (
    <li className={styles.trend}>
      <p className={styles.name}>{name}</p>
      <p>
        <strong>{text.findings(now, format.number(now))}</strong>
        <span className={styles.soft}>
          {now === before ? text.same : now < before ? text.fewer(count) : text.more(count)}
        </span>
      </p>
      <Bars scans={scans} label={text.bars(format.list(totals.map((total) => format.number(total))))} />
    </li>
  );
}

/** In units of the drawing. */
const WIDTH = 14;
const GAP = 4;
const HEIGHT = 48;

function Bars({ scans, label }: { readonly scans: readonly SeoScan[]; readonly label: string }): ReactNode {
  const format = useFormat();
  const names = useText(screenTexts).severities;
  const highest = Math.max(1, ...scans.map(totalOf));
  const width = MOST * (WIDTH + GAP);
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid"
      role="img"
      aria-label={label}
    >
      {scans.map((scan, index) => {
        let bottom = HEIGHT;
        return (
          <g key={scan.id}>
            <title>
              {[
                format.dateTime(scan.created_at),
                ...severities.map((severity) => `${names[severity]}: ${format.number(scan.found[severity])}`),
              ].join('\n')}
            </title>
            <rect x={index * (WIDTH + GAP)} y={HEIGHT - 1} width={WIDTH} height={1} className={styles.base} />
            {severities.map((severity) => {
              const height = (scan.found[severity] / highest) * HEIGHT;
              bottom -= height;
              return (
                <rect
                  key={severity}
                  x={index * (WIDTH + GAP)}
                  y={bottom}
                  width={WIDTH}
                  height={height}
                  className={styles[severity]}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}
