import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import {
  CAPABILITIES,
  type Capability,
  createApiToken,
  listApiTokens,
  type OutputOf,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../../lib/session-store.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { CallProblem } from '../../../ui/form-problem.tsx';
import { addressOf, curlOf, headerOf, type MadeTokenFacts } from './token-example.ts';
import classes from './token-list-page.module.css';

const DAYS = ['7', '30', '90', '180', '366'] as const;

/** Asks for name, capabilities and expiry, then shows the token, this once only. */
export function NewTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('tokens');
  const [made, setMade] = useState<MadeTokenFacts | null>(null);
  const [isKept, setKept] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // A token that is closed by a slip cannot be shown again.
  const close = () => (made && !isKept ? setAsking(true) : onClose());
  return (
    <Dialog
      onClose={close}
      title={t(made ? 'made.title' : 'new.title')}
      size={made ? 640 : 520}
      closeOnClickOutside={!made}
    >
      {made ? (
        <MadeToken facts={made} onKept={() => setKept(true)} onClose={close} />
      ) : (
        <TokenForm onMade={setMade} />
      )}
      {isAsking ? (
        <Dialog onClose={() => setAsking(false)} title={t('made.closeTitle')}>
          <Text size="sm">{t('made.closeText')}</Text>
          <Group justify="flex-end" gap={8} mt={16}>
            <Button variant="default" onClick={onClose}>
              {t('made.closeAnyway')}
            </Button>
            <Button data-autofocus onClick={() => setAsking(false)}>
              {t('made.back')}
            </Button>
          </Group>
        </Dialog>
      ) : null}
    </Dialog>
  );
}

function TokenForm({ onMade }: { readonly onMade: (made: MadeTokenFacts) => void }) {
  const { t } = useTranslation('tokens');
  const { clusterId, scopeId } = useScope();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<readonly Capability[]>([]);
  const [days, setDays] = useState<string>('90');
  const create = useCallMutation(createApiToken, { stale: [listApiTokens], quiet: true });
  const isIngest = chosen.includes('ingest');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const terms = { capabilities: [...chosen], days: Number(days) };
    const input = { scope_id: scopeId, app_name: name, description, ...terms };
    const onSuccess = ({ token, address, item }: OutputOf<typeof createApiToken>) =>
      onMade({ token, address, capabilities: item.capabilities, clusterId, scopeId });
    create.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <CallProblem error={create.error} />
        <TextInput
          label={t('new.name')}
          value={name}
          maxLength={80}
          required
          withAsterisk={false}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('new.description')}
          value={description}
          maxLength={400}
          disabled={isIngest}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Capabilities chosen={chosen} onChange={setChosen} />
        {isIngest ? null : <ExpirySelect days={days} onChange={setDays} />}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={chosen.length === 0}>
            {t('new.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CapabilitiesProps {
  readonly chosen: readonly Capability[];
  readonly onChange: (chosen: readonly Capability[]) => void;
}

/** What the token may do; a token of a sender may do nothing else. */
function Capabilities({ chosen, onChange }: CapabilitiesProps) {
  const { t } = useTranslation('tokens');
  const isIngest = chosen.includes('ingest');
  return (
    <Checkbox.Group
      label={t('new.capabilities')}
      description={t('new.capabilitiesHelp')}
      value={[...chosen]}
      onChange={(values) => onChange(CAPABILITIES.filter((one) => values.includes(one)))}
    >
      <Stack gap={6} mt={8}>
        {CAPABILITIES.map((one) => (
          <Checkbox
            key={one}
            value={one}
            label={t(`capability.${one.replace('.', '_')}`)}
            description={t(`capabilityHelp.${one.replace('.', '_')}`)}
            disabled={one === 'ingest' ? chosen.length > 0 && !isIngest : isIngest}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface ExpirySelectProps {
  readonly days: string;
  readonly onChange: (days: string) => void;
}

function ExpirySelect({ days, onChange }: ExpirySelectProps) {
  const { t } = useTranslation('tokens');
  return (
    <Select
      label={t('new.expires')}
      value={days}
      allowDeselect={false}
      onChange={(value) => value && onChange(value)}
      data={DAYS.map((value) => ({ value, label: t('new.days', { count: Number(value) }) }))}
    />
  );
}

interface MadeTokenProps {
  readonly facts: MadeTokenFacts;
  /** The token was copied: closing loses nothing. */
  readonly onKept: () => void;
  readonly onClose: () => void;
}

function MadeToken({ facts, onKept, onClose }: MadeTokenProps) {
  const { t } = useTranslation('tokens');
  const curl = curlOf(facts);
  return (
    <Stack gap="sm">
      <Text size="sm">{t('made.text')}</Text>
      <div className={classes.token}>{facts.token}</div>
      <CopyButton value={facts.token} label={t('made.copy')} onCopied={onKept} />
      <FactList
        isStacked
        facts={[
          { label: t('made.header'), value: <code className={classes.code}>{headerName(facts)}</code> },
          { label: t('made.address'), value: <code className={classes.code}>{addressOf(facts)}</code> },
        ]}
      />
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={500}>
            {t('made.example')}
          </Text>
          <CopyButton value={curl} label={t('made.copyExample')} onCopied={onKept} />
        </Group>
        <pre className={classes.example}>{curl}</pre>
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('made.done')}</Button>
      </Group>
    </Stack>
  );
}

/** The header with the token left out. */
function headerName(facts: MadeTokenFacts): string {
  return headerOf({ ...facts, token: '<token>' });
}
