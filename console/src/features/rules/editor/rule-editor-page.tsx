import { Button, Select, Skeleton } from '@mantine/core';
import { IconDeviceFloppy, IconHistory, IconRulerMeasure } from '@tabler/icons-react';
import type { PackRuleDetail } from '@tyrian/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { PageLayout } from '../../../ui/page-layout.tsx';
import { StateMark } from '../../../ui/state-mark.tsx';
import { draftedText } from '../draft/drafted-text.ts';
import { useRulePaths } from '../rule-links.ts';
import { copyRuleText, documentText } from './copy-rule-text.ts';
import styles from './rule-editor.module.css';
import { RuleEditorSide } from './rule-editor-side.tsx';
import { type RuleTemplate, TEMPLATE_NAMES, templateText } from './rule-templates.ts';
import { RuleVersions } from './rule-versions.tsx';
import { SaveRuleDialog } from './save-rule-dialog.tsx';
import { SigmaEditor, type SigmaEditorHandle } from './sigma-editor.tsx';
import type { SigmaRemarks } from './sigma-text-services.ts';
import { useAttackNames } from './use-attack-names.ts';
import { mayWrite, type RuleBase, useRule, useRuleCheck, useRuleDraft } from './use-rule-draft.ts';
import { useSigmaWords } from './use-sigma-words.ts';

/** A new rule: from a template, a copy of the rule that the address names, or a draft that was made of events. */
export function NewRulePage() {
  const [params] = useSearchParams();
  const from = params.get('from');
  const original = useRule(from);
  const drafted = draftedText(useLocation().state);
  const template = TEMPLATE_NAMES.find((name) => name === params.get('template')) ?? 'process';
  if (from !== null && !original.data) return <Waiting error={original.error} onRetry={original.refetch} />;
  if (drafted !== null) return <RuleEditor key="draft" first={{ text: drafted, version: 0 }} />;
  const text = original.data
    ? copyRuleText(documentText(original.data.text, original.data), crypto.randomUUID())
    : templateText(template, Date.now());
  return (
    <RuleEditor
      key={from ?? template}
      first={{ text, version: 0 }}
      {...(original.data ? { original: original.data } : { template })}
    />
  );
}

/** A rule of the tenant's own, while it is changed. */
export function EditRulePage() {
  const { t } = useTranslation('sigma');
  const { ruleId = '' } = useParams();
  const rule = useRule(ruleId);
  if (!rule.data) return <Waiting error={rule.error} onRetry={rule.refetch} />;
  if (!rule.data.own)
    return (
      <PageLayout head={<PageHead icon={IconRulerMeasure} title={rule.data.title} />}>
        <EmptyState kind="nothing-yet" title={t('notOwn')} text={t('notOwnText')} />
      </PageLayout>
    );
  return (
    <RuleEditor key={ruleId} rule={rule.data} first={{ text: rule.data.text, version: rule.data.version }} />
  );
}

function Waiting({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  const { t: ofRules } = useTranslation('rules');
  return (
    <PageLayout scrolls head={<PageHead icon={IconRulerMeasure} title={ofRules('rule')} />}>
      {error ? (
        <ErrorPanel title={ofRules('ruleFailed')} error={error as never} onRetry={() => void onRetry()} />
      ) : (
        <Skeleton height={320} maw={1080} mx="auto" />
      )}
    </PageLayout>
  );
}

interface RuleEditorProps {
  readonly first: RuleBase;
  /** The rule that is changed; absent for a new one. */
  readonly rule?: PackRuleDetail;
  /** The rule that a new one is made from. */
  readonly original?: PackRuleDetail;
  readonly template?: RuleTemplate;
}

const NO_REMARKS: SigmaRemarks = { text: '', mistake: null, findings: [] };

/** The text that is written, what is said of it, and what is open beside it. */
function useRuleEditor({ first, rule }: RuleEditorProps) {
  useAttackNames();
  const draft = useRuleDraft(first);
  const check = useRuleCheck(draft.text, rule?.rule_id);
  const [remarks, setRemarks] = useState(NO_REMARKS);
  const [isSaving, setSaving] = useState(false);
  const [isShowingVersions, setShowingVersions] = useState(false);
  const isOpen = mayWrite(rule);
  const canSave = isOpen && (draft.isDirty || !rule);
  const askToSave = () => {
    if (canSave) setSaving(true);
  };
  return {
    ...{ draft, check, remarks, setRemarks, isOpen, canSave, askToSave },
    ...{ isSaving, setSaving, isShowingVersions, setShowingVersions },
  };
}
type RuleEditorState = ReturnType<typeof useRuleEditor>;

function RuleEditor(props: RuleEditorProps) {
  const { rule, original, template } = props;
  const { t } = useTranslation('sigma');
  const editor = useRuleEditor(props);
  const { draft, check, setSaving, setShowingVersions } = editor;
  return (
    <PageLayout
      scrolls
      head={
        <EditorHead
          rule={rule}
          title={check.data?.title || rule?.title || t('newRule')}
          editor={editor}
          onVersions={rule ? () => setShowingVersions(true) : null}
        />
      }
      filters={template ? <Templates template={template} /> : undefined}
      aside={
        editor.isShowingVersions && rule ? (
          <RuleVersions rule={rule} draft={draft} onClose={() => setShowingVersions(false)} />
        ) : undefined
      }
    >
      <Columns editor={editor} />
      {editor.isSaving && (
        <SaveRuleDialog
          draft={draft}
          {...(rule ? { rule } : {})}
          {...(original ? { original } : {})}
          onClose={() => setSaving(false)}
        />
      )}
    </PageLayout>
  );
}

/** The text, and beside it what the rule does. */
function Columns({ editor }: { readonly editor: RuleEditorState }) {
  const { t } = useTranslation('sigma');
  const { draft, check, remarks } = editor;
  const handle = useRef<SigmaEditorHandle>(null);
  const words = useSigmaWords();
  return (
    <div className={styles.columns}>
      <div className={styles.editor}>
        <SigmaEditor
          value={draft.text}
          onChange={draft.setText}
          onSave={editor.askToSave}
          words={words}
          onRemarks={editor.setRemarks}
          readOnly={!editor.isOpen}
          ariaLabel={t('editor')}
          handle={handle}
        />
      </div>
      <RuleEditorSide
        check={check}
        remarks={remarks}
        words={words}
        onSelect={(span) => handle.current?.select(span)}
      />
    </div>
  );
}

interface EditorHeadProps {
  readonly rule: PackRuleDetail | undefined;
  readonly title: string;
  readonly editor: RuleEditorState;
  readonly onVersions: (() => void) | null;
}

function EditorHead({ rule, title, editor, onVersions }: EditorHeadProps) {
  const { t } = useTranslation('sigma');
  const { t: ofRules } = useTranslation('rules');
  const paths = useRulePaths();
  const parents = [
    { title: ofRules('title'), to: paths.list },
    ...(rule ? [{ title: rule.title, to: paths.page(rule.rule_id) }] : []),
  ];
  return (
    <PageHead
      icon={IconRulerMeasure}
      title={rule ? t('edit') : title}
      parents={parents}
      actions={
        <>
          {editor.draft.isDirty && <StateMark tone="warn" label={t('unsaved')} />}
          {rule?.own?.locked && (
            <StateMark tone="warn" label={t('lockedBy', { name: rule.own.locked_by ?? '' })} />
          )}
          {onVersions && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconHistory size={14} aria-hidden />}
              onClick={onVersions}
            >
              {t('versions.button', { version: rule?.version ?? 1 })}
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<IconDeviceFloppy size={14} aria-hidden />}
            disabled={!editor.canSave}
            title="Ctrl+S"
            onClick={editor.askToSave}
          >
            {t('save.button')}
          </Button>
        </>
      }
    />
  );
}

/** Templates to begin from; choosing another one asks first when something was written. */
function Templates({ template }: { readonly template: RuleTemplate }) {
  const { t } = useTranslation('sigma');
  const navigate = useNavigate();
  const paths = useRulePaths();
  return (
    <Select
      aria-label={t('template')}
      leftSectionWidth={90}
      leftSection={<span className={styles.selectLabel}>{t('template')}</span>}
      data={TEMPLATE_NAMES.map((value) => ({ value, label: t(`templates.${value}`) }))}
      value={template}
      allowDeselect={false}
      size="xs"
      w={320}
      onChange={(next) => next && void navigate(paths.fromTemplate(next), { replace: true })}
    />
  );
}
