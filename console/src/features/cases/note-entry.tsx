import { noteParts, type ShownNote } from '@tyrian/contract';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './case-notes-panel.module.css';

/** One note as plain text; addresses in it are links that open in a new tab. */
export function NoteEntry({ note }: { readonly note: ShownNote }) {
  let at = 0;
  return (
    <li className={classes.note} data-kind={note.kind}>
      <div className={classes.meta}>
        <span className={classes.author}>{note.author}</span>
        <TimeStamp time={note.cnam_time} form="longDate" />
      </div>
      <p className={classes.text}>
        {noteParts(note.text).map((part) => {
          const key = at;
          at += part.text.length;
          return part.kind === 'link' ? (
            <a key={key} href={part.text} target="_blank" rel="noopener noreferrer">
              {part.text}
            </a>
          ) : (
            <span key={key}>{part.text}</span>
          );
        })}
      </p>
      {note.tag_list.length > 0 ? (
        <div className={classes.tags}>
          {note.tag_list.map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
        </div>
      ) : null}
    </li>
  );
}
