import { freePort } from '../../runtime/free-port.ts';

test('ports that are asked for at the same time differ, although nobody listens on them yet', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
  // Below the ports that the system gives to connections.
  for (const port of ports) expect(port).toBeLessThan(32_768);
});
