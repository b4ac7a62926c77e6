// What jsdom lacks of a browser and the kit of components asks for.

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

export function installBrowserStandIns(): void {
  window.matchMedia ??= (query: string) =>
    ({
      matches: false,
      media: query,
      onchange: null,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
      dispatchEvent: () => false,
    }) as MediaQueryList;
  window.ResizeObserver ??= NoObserver as unknown as typeof ResizeObserver;
  // jsdom lays nothing out: everything counts as one screen large, so that virtual lists show their rows.
  for (const [name, value] of Object.entries({ clientHeight: 800, clientWidth: 1200 })) {
    Object.defineProperty(window.Element.prototype, name, { configurable: true, get: () => value });
  }
  window.Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
  window.HTMLElement.prototype.scrollIntoView = () => undefined;
  if (!document.fonts) {
    const fonts = { addEventListener: () => undefined, removeEventListener: () => undefined };
    Object.defineProperty(document, 'fonts', { configurable: true, value: fonts });
  }
}
