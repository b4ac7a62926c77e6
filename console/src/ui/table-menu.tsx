import { Button, Checkbox, Divider, Popover, SegmentedControl, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconColumns3 } from '@tabler/icons-react';
import { DENSITIES } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePreferences } from '../lib/preferences.ts';
import { useSettings } from '../lib/settings.ts';
import { ExportDialog, type ListExport } from './export-dialog.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './table-menu.module.css';
import type { TableModel } from './table-model.ts';

// How a list is laid out: density of all lists, columns and their order of this one, by mouse and keyboard alike.

export function TableMenu<T>({
  table,
  exported,
}: {
  readonly table: TableModel<T>;
  readonly exported?: ListExport | undefined;
}) {
  const { t } = useTranslation('ui');
  const [isOpen, setOpen] = useState(false);
  const [isExporting, setExporting] = useState(false);
  const openExport = () => {
    setOpen(false);
    setExporting(true);
  };
  const menu = (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      middlewares={{ flip: true, shift: true, size: { padding: 8 } }}
      withinPortal
      trapFocus
      returnFocus
      width={280}
    >
      <Popover.Target>
        <IconButton label={t('table.chooseColumns')} size={24} onClick={() => setOpen(!isOpen)}>
          <IconColumns3 size={15} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={8} className={classes.menu} aria-label={t('table.layout')}>
        <Density />
        <Divider my={8} />
        <Columns table={table} />
        <Divider my={8} />
        <Button
          variant="subtle"
          color="gray"
          fullWidth
          onClick={() => {
            table.setColumnSizing({});
            table.setColumnVisibility({});
            table.setColumnOrder([]);
          }}
        >
          {t('table.reset')}
        </Button>
        {exported ? (
          <Button variant="subtle" color="gray" fullWidth onClick={openExport}>
            {t('export.button')}
          </Button>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
  return (
    <>
      {menu}
      {exported && isExporting ? (
        <ExportDialog exported={exported} onClose={() => setExporting(false)} />
      ) : null}
    </>
  );
}

function Density() {
  const { t } = useTranslation('ui');
  const { density } = useSettings();
  return (
    <>
      <Text size="xs" c="dimmed" mb={4}>
        {t('table.density')}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={t('table.density')}
        value={density}
        onChange={(next) => {
          const chosen = DENSITIES.find((one) => one === next);
          if (chosen) changePreferences({ density: chosen });
        }}
        data={DENSITIES.map((value) => ({ value, label: t(`table.densities.${value}`) }))}
      />
    </>
  );
}

function Columns<T>({ table }: { readonly table: TableModel<T> }) {
  const { t } = useTranslation('ui');
  const columns = table.getAllLeafColumns();
  const ids = columns.map((column) => column.id);
  const move = (index: number, by: number) => {
    const order = [...ids];
    const [moved] = order.splice(index, 1);
    if (moved) order.splice(index + by, 0, moved);
    table.setColumnOrder(order);
  };
  return (
    <ul className={classes.columns} aria-label={t('table.columns')}>
      {columns.map((column, index) => {
        const title = String(column.columnDef.header);
        return (
          <li key={column.id} className={classes.column}>
            <Checkbox
              checked={column.getIsVisible()}
              onChange={() => column.toggleVisibility()}
              label={title}
              className={classes.name}
            />
            <IconButton
              label={t('table.moveUp', { column: title })}
              size={22}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <IconChevronUp size={14} />
            </IconButton>
            <IconButton
              label={t('table.moveDown', { column: title })}
              size={22}
              disabled={index === columns.length - 1}
              onClick={() => move(index, 1)}
            >
              <IconChevronDown size={14} />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}
