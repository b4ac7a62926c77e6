export function threadScript(script: URL): URL;
