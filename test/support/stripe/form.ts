/** A form as Stripe's client sends it, with nested names such as `line_items[0][price]`. */
export function parseForm(text: string): Record<string, any> {
  const form: Record<string, any> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    let at = form;
    for (const part of path.slice(0, -1)) at = at[part] ??= {};
    at[path.at(-1) as string] = value;
  }
  return form;
}
