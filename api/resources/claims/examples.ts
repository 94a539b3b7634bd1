export const claimExample = {
  id: '0197a0c4-9999-7d30-9b64-2f1f0d3c8a11',
  text: 'Green tea is brewed at 80 °C.',
  position: { start: 120, end: 149 },
  verdict: 'supported',
  source_n: 1,
  evidence: 'For green tea, let the water cool to 80 °C.',
};
