import type { ReactNode } from 'react';

interface HiddenTableProps {
  readonly caption: string;
  /** Names of the columns; none where the rows speak for themselves. */
  readonly heads?: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly { readonly key: string | number; readonly cells: readonly ReactNode[] }[];
}

/**
 * The figures of a drawing for who can't see it. A table takes the height of its rows whatever the style says, so it
 * stands in a box that cuts it off; else it makes the page as long as itself.
 */
export function HiddenTable({ caption, heads, rows }: HiddenTableProps) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        {heads && (
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(({ key, cells: [name, ...figures] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {figures.map((figure, index) => (
                <td key={`figure ${String(index)}`}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
