import { findMentions, type ShownNote } from '@tyrian/contract';
import { lazy, Suspense } from 'react';
import { serverText } from '../../lib/server-text.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './case-notes-panel.module.css';
import { useScopeUsers } from './case-queries.ts';

const MarkdownText = lazy(async () => ({
  default: (await import('../../ui/markdown-text.tsx')).MarkdownText,
}));

/**
 * One note. What people wrote is read as Markdown, with addresses that open only after a look; what the product wrote
 * is plain text.
 */
export function NoteEntry({ note }: { readonly note: ShownNote }) {
  return (
    <li className={classes.note} data-kind={note.kind}>
      <div className={classes.meta}>
        <span className={classes.author}>{note.author}</span>
        <TimeStamp time={note.cnam_time} form="seconds" />
      </div>
      {note.kind === 'system' ? (
        <p className={classes.text}>{serverText({ ...note, message: note.text })}</p>
      ) : (
        <WrittenText text={note.text} />
      )}
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

/** Who is mentioned stands out. */
function WrittenText({ text }: { readonly text: string }) {
  const people = useScopeUsers();
  return (
    <Suspense fallback={<p className={classes.text}>{text}</p>}>
      <MarkdownText text={text} links="guarded" marked={(part) => findMentions(part, people)} />
    </Suspense>
  );
}
