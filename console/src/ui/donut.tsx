import classes from './donut.module.css';

export interface DonutPart {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  /** A colour token, e.g. `var(--chart-1)`. */
  readonly color: string;
  readonly isChosen?: boolean;
}

interface DonutProps {
  readonly label: string;
  readonly parts: readonly DonutPart[];
  /** Clicking a part of the legend filters. */
  readonly onChoose?: (id: string) => void;
}

const RADIUS = 26;
const ROUND = 2 * Math.PI * RADIUS;

/** A small donut with its legend; the legend holds the figures, so that nothing is told by colour alone. */
export function Donut({ label, parts, onChoose }: DonutProps) {
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  let before = 0;
  return (
    <div className={classes.donut}>
      <svg viewBox="0 0 64 64" className={classes.ring} role="img" aria-label={`${label}: ${total}`}>
        <circle cx="32" cy="32" r={RADIUS} className={classes.track} />
        {parts.map((part) => {
          const length = total === 0 ? 0 : (part.count / total) * ROUND;
          const offset = -before;
          before += length;
          return length > 0 ? (
            <circle
              key={part.id}
              cx="32"
              cy="32"
              r={RADIUS}
              className={classes.arc}
              stroke={part.color}
              strokeDasharray={`${Math.max(0.5, length - 1.5)} ${ROUND}`}
              strokeDashoffset={offset}
            />
          ) : null;
        })}
        <text x="32" y="37" className={classes.total}>
          {total}
        </text>
      </svg>
      <ul className={classes.legend}>
        {parts.map((part) => (
          <li key={part.id}>
            <button
              type="button"
              className={classes.part}
              data-chosen={part.isChosen || undefined}
              disabled={!onChoose}
              onClick={() => onChoose?.(part.id)}
            >
              <span className={classes.swatch} style={{ background: part.color }} aria-hidden />
              <span className={classes.name}>{part.label}</span>
              <span>{part.count}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
