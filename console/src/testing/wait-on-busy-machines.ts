// What a test waits for on a page may take longer than the usual second on a machine that does other work.

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 10_000 });
}
