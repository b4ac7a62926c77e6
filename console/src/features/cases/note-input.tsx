import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { addCaseNote, caseHistory, caseInfo, escapeNote, listCaseNotes, listCases } from '@tyrian/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import classes from './case-notes-panel.module.css';
import { MentionTextarea } from './mention-textarea.tsx';

// Save → Saved ✓ for 5 s → Save; Retry after a failure. Text of blanks alone counts as no text and is cleared.

const SAVED_MS = 5000;

type SaveState = 'save' | 'saved' | 'retry';

export function NoteInput({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const { user } = useSignedIn();
  const [text, setText] = useState('');
  const [state, setState] = useState<SaveState>('save');
  const add = useCallMutation(addCaseNote, {
    stale: [listCaseNotes, caseHistory, caseInfo, listCases],
    quiet: true,
  });
  useEffect(() => {
    if (state !== 'saved') return;
    const timer = setTimeout(() => setState('save'), SAVED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const isBlank = text.trim() === '';
  const save = () => {
    if (isBlank || add.isPending) return;
    const input = {
      scope_id: scopeId,
      case_id: caseId,
      notes: escapeNote(text),
      author: user.name,
      tag_list: [],
    };
    add.mutate(
      { params: { clusterId }, input },
      {
        onSuccess: () => {
          setText('');
          setState('saved');
        },
        onError: () => setState('retry'),
      },
    );
  };
  return (
    <div className={classes.input}>
      <MentionTextarea
        aria-label={t('notes.input')}
        placeholder={t('notes.input')}
        autosize
        minRows={3}
        maxRows={10}
        value={text}
        onChange={(next) => setText(next.trim() === '' ? '' : next)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <Button
        disabled={isBlank}
        loading={add.isPending}
        onClick={save}
        leftSection={state === 'saved' ? <IconCheck size={14} aria-hidden /> : undefined}
      >
        {t(`notes.${state}`)}
      </Button>
    </div>
  );
}
