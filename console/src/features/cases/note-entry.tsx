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
 * is plain text. Who is mentioned stands out.
 */
export function NoteEntry({ note }: { readonly note: ShownNote }) {
  const people = useScopeUsers();
  const plain = <p className={classes.text}>{serverText({ ...note, message: note.text })}</p>;
  return (
    <li className={classes.note} data-kind={note.kind}>
      <div className={classes.meta}>
        <span className={classes.author}>{note.author}</span>
        <TimeStamp time={note.cnam_time} form="seconds" />
      </div>
      {note.kind === 'system' ? (
        plain
      ) : (
        <Suspense fallback={plain}>
          <MarkdownText text={note.text} links="guarded" marked={(text) => findMentions(text, people)} />
        </Suspense>
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
