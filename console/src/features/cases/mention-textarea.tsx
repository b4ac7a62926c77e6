import { Popover, Textarea, type TextareaProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listScopeUsers, type UserItem } from '@tyrian/contract';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { mentionAt, type OpenMention, peopleFor, writeMention } from './mention-at.ts';
import classes from './mention-textarea.module.css';

const MOST_PEOPLE = 1000;

interface MentionTextareaProps extends Omit<TextareaProps, 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A text in which `@` and a few letters offer whoever may see the case. */
export function MentionTextarea({ value, onChange, onKeyDown, ...rest }: MentionTextareaProps) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [mention, setMention] = useState<OpenMention | null>(null);
  const [active, setActive] = useState(0);
  const input = { scope_id: scopeId, handlers_only: true, pagesize: MOST_PEOPLE };
  const people = useQuery(
    callQuery(listScopeUsers, input, { params: { clusterId }, enabled: mention !== null, quiet: true }),
  ).data?.data;
  const offered = mention && people ? peopleFor(mention.text, people) : [];
  const look = (text: string, at: number) => {
    setMention(mentionAt(text, at));
    setActive(0);
  };
  // The caret goes behind what was written for it.
  useLayoutEffect(() => {
    if (caret.current === null) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const choose = (person: UserItem) => {
    if (!mention || !people) return;
    const written = writeMention(value, mention, person, people);
    caret.current = written.caret;
    onChange(written.text);
    setMention(null);
    box.current?.focus();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!takesKey(event)) onKeyDown?.(event);
  };
  const takesKey = (event: KeyboardEvent): boolean => {
    const chosen = offered[active];
    if (!chosen || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % offered.length);
    else if (event.key === 'ArrowUp') setActive((active + offered.length - 1) % offered.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen);
    else if (event.key === 'Escape') setMention(null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return (
    <Popover opened={offered.length > 0} position="top-start" width="target" withRoles={false} shadow="md">
      <Popover.Target>
        <Textarea
          {...rest}
          ref={box}
          value={value}
          aria-autocomplete="list"
          aria-controls={offered.length > 0 ? id : undefined}
          aria-activedescendant={offered.length > 0 ? `${id}-${active}` : undefined}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            look(currentTarget.value, currentTarget.selectionStart);
          }}
          onClick={({ currentTarget }) => look(currentTarget.value, currentTarget.selectionStart)}
          onBlur={() => setMention(null)}
          onKeyDown={onKey}
        />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <div id={id} role="listbox" aria-label={t('notes.mention')}>
          {offered.map((person, index) => (
            <div
              key={person.user_id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={classes.person}
              // Before the text loses the focus, which closes the list.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(person);
              }}
            >
              {person.name}
              <span className={classes.address}>{person.email_id}</span>
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
