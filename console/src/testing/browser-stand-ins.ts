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
  window.HTMLElement.prototype.scrollIntoView = () => undefined;
  document.fonts ??= { addEventListener: () => undefined, removeEventListener: () => undefined } as unknown as FontFaceSet;
}
