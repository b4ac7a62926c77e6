/** Why something of the language is refused, and what to write instead. */
export interface Refusal {
  readonly why: string;
  readonly wayOut: string;
}
