/** A connection that is accepted. */
export const connectionWrite = {
  kind: 'http',
  name: 'Another system',
  config: { url: 'https://receiver.example/posts' },
  secret: `whsec_${'a1B2'.repeat(10)}c3D`,
};
