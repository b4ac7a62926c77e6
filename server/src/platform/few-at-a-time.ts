/**
 * Works on all items, at most `most` of them at a time; the results stand in the order of the items. Fails with the
 * first failure, and begins no further item then.
 */
export async function fewAtATime<Item, Result>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = numbered(items);
  const worker = async (): Promise<void> => {
    for (const [item, index] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}

/** All workers read this one generator: whichever fails leaves its loop, and so ends it for the others. */
function* numbered<Item>(items: Iterable<Item>): Generator<[Item, number]> {
  let index = 0;
  for (const item of items) yield [item, index++];
}
