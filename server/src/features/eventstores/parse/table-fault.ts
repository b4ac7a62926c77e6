/** Why a file is no table, by the name of its message and the values in it. */
export interface TableFault {
  readonly fault: string;
  readonly values: Readonly<Record<string, string | number>>;
}

/** Thrown while a file is read; a mistake of the file, none of ours. */
export class NotATable extends Error {
  readonly told: TableFault;

  constructor(fault: string, values: TableFault['values'] = {}) {
    super(fault);
    this.told = { fault, values };
  }
}
