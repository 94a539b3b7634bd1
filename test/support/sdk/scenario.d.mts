export declare const expected: Readonly<Record<string, unknown>>;
