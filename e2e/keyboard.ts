import type { Locator, Page } from 'playwright-core';

// Somebody without a mouse: everything is reached with Tab, menus with the arrows. What is not reached, or does not show
// that it has the focus, fails the journey.

const MOST_TABS = 120;

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses <= MOST_TABS; presses++) {
    if (await hasFocus(target)) return expectSeen(target);
    // In the editor Tab indents; after Escape it leads on.
    if (await isInEditor(page)) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}

/** Tabs to a button or link and presses it. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Tabs to a field and types over what stands in it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** Goes with the arrows through the menu that has just been opened, and chooses an entry. */
export async function chooseEntry(page: Page, entry: Locator): Promise<void> {
  await entry.waitFor();
  for (let presses = 0; presses <= MOST_TABS; presses++) {
    if (await hasFocus(entry)) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`the arrows do not lead to ${entry}`);
}

/** Types email and password into the sign-in page that is open. */
export async function typeSignIn(page: Page, email: string, password: string): Promise<void> {
  await typeInto(page, page.getByLabel('Email'), email);
  await typeInto(page, page.getByLabel('Password', { exact: true }), password);
  await page.keyboard.press('Enter');
}

/** Accepts what stands before everything else at the first sign-in. */
export async function acceptAgreements(page: Page): Promise<void> {
  for (const name of ['Licence agreement', 'Privacy policy']) {
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Accept' }));
  }
}

const isInEditor = (page: Page) =>
  page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.isContentEditable,
  );

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** A frame around the element, or the border of a field, tells where the keyboard is. */
async function expectSeen(target: Locator): Promise<void> {
  const isSeen = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    return isField || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0);
  });
  if (!isSeen) throw new Error(`nothing shows that ${target} has the focus`);
}
