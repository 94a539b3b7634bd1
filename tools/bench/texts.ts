const words =
  'bread water salt oven slow night morning dough flour warm cold fridge hands table crust steam knife basket weekday starter measure kitchen pot lid turn fold rest shape bake cool slice butter winter market lemon jar season stock bean onion the a of and to in that is it for with as on by from'.split(
    ' ',
  );

/** Different texts of about this length, which compress about as well as prose; the same in every run. */
export function createTexts(count: number, length: number): string[] {
  let state = 1;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length: count }, () => {
    let text = '';
    while (text.length < length) text += `${words[next() % words.length]} `;
    return text.trimEnd();
  });
}
