import classes from './cut-text.module.css';

/** Folders up to the last separator, and the name behind it. */
const PATH = /^(.*[\\/])([^\\/]+)$/s;

interface CutTextProps {
  readonly value: string;
  /** Shown whole whatever the room, as an address is. */
  readonly isWhole?: boolean;
}

/** A value on one line. Where room is short a path gives up its folders, never the name of the file. */
export function CutText({ value, isWhole = false }: CutTextProps) {
  const [, folders, name] = PATH.exec(value) ?? [];
  if (isWhole || folders === undefined || name === undefined || value.includes('://'))
    return (
      <span className={classes.value} data-whole={isWhole || undefined}>
        {value}
      </span>
    );
  return (
    <span className={classes.path}>
      <span className={classes.value}>{folders}</span>
      <span className={classes.name}>{name}</span>
    </span>
  );
}
