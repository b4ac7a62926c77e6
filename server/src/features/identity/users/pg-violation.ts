/** Whether PostgreSQL refused a write because of a constraint of this kind. */
export function isViolation(error: unknown, kind: 'unique' | 'foreign-key' | 'check'): boolean {
  const codes = { unique: '23505', 'foreign-key': '23503', check: '23514' } as const;
  return (error as { code?: unknown } | null)?.code === codes[kind];
}
