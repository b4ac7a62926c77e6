import { Popover, Textarea, type TextareaProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listScopeUsers, type UserItem } from '@tyrian/contract';
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
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
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const { offered, active, look, choose, close, takesKey } = useMentions(box, value, onChange);
  const isOpen = offered.length > 0;
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!takesKey(event)) onKeyDown?.(event);
  };
  return (
    <Popover opened={isOpen} position="top-start" width="target" withRoles={false} shadow="md">
      <Popover.Target>
        <Textarea
          {...rest}
          ref={box}
          value={value}
          aria-autocomplete="list"
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
            look(currentTarget.value, currentTarget.selectionStart);
          }}
          onClick={({ currentTarget }) => look(currentTarget.value, currentTarget.selectionStart)}
          onBlur={close}
          onKeyDown={onKey}
        />
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Offered id={id} people={offered} active={active} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Who is offered for what is typed at the caret, which of them is active, and what keys and clicks do about it. */
function useMentions(
  box: RefObject<HTMLTextAreaElement | null>,
  value: string,
  onChange: (text: string) => void,
) {
  const [mention, setMention] = useState<OpenMention | null>(null);
  const [active, setActive] = useState(0);
  const setCaret = useCaret(box);
  const people = usePeople(mention !== null);
  const offered = mention && people ? peopleFor(mention.text, people) : [];
  const look = (text: string, at: number) => {
    setMention(mentionAt(text, at));
    setActive(0);
  };
  const choose = (person: UserItem) => {
    if (!mention || !people) return;
    const written = writeMention(value, mention, person, people);
    setCaret(written.caret);
    onChange(written.text);
    setMention(null);
    box.current?.focus();
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
  return { offered, active, look, choose, close: () => setMention(null), takesKey };
}

/** Puts the caret behind what was written for it, once that is drawn. */
function useCaret(box: RefObject<HTMLTextAreaElement | null>): (at: number) => void {
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return (at) => {
    caret.current = at;
  };
}

/** Whoever may see the case; undefined until it is asked for and known. */
function usePeople(isAsked: boolean): readonly UserItem[] | undefined {
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, handlers_only: true, pagesize: MOST_PEOPLE };
  return useQuery(callQuery(listScopeUsers, input, { params: { clusterId }, enabled: isAsked, quiet: true }))
    .data?.data;
}

interface OfferedProps {
  readonly id: string;
  readonly people: readonly UserItem[];
  readonly active: number;
  readonly onChoose: (person: UserItem) => void;
}

function Offered({ id, people, active, onChoose }: OfferedProps) {
  const { t } = useTranslation('cases');
  return (
    <div id={id} role="listbox" aria-label={t('notes.mention')}>
      {people.map((person, index) => (
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
            onChoose(person);
          }}
        >
          {person.name}
          <span className={classes.address}>{person.email_id}</span>
        </div>
      ))}
    </div>
  );
}
