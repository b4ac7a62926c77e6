/** Moves the focus over the cells of a matrix: up and down within a column, sideways to the same place of the next one. */
export function moveFocus(matrix: HTMLElement, key: string): boolean {
  const at = document.activeElement?.closest<HTMLElement>('[data-cell]');
  const column = at?.closest<HTMLElement>('[data-column]');
  if (!at || !column) return false;
  const columns = [...matrix.querySelectorAll<HTMLElement>('[data-column]')];
  const cellsOf = (of: HTMLElement | undefined) => [
    ...(of?.querySelectorAll<HTMLElement>('[data-cell]') ?? []),
  ];
  const cells = cellsOf(column);
  const index = cells.indexOf(at);
  const beside = (step: number) => {
    const others = cellsOf(columns[columns.indexOf(column) + step]);
    return others[Math.min(index, others.length - 1)];
  };
  const targets: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowDown: () => cells[index + 1],
    ArrowUp: () => cells[index - 1],
    ArrowRight: () => beside(1),
    ArrowLeft: () => beside(-1),
    Home: () => cells[0],
    End: () => cells.at(-1),
  };
  const move = targets[key];
  if (!move) return false;
  const target = move();
  target?.focus();
  target?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  return true;
}
