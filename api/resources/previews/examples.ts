export const previewLinkExample = {
  id: '0197a0c4-7777-7d30-9b64-2f1f0d3c8a11',
  expires_at: '2026-03-08T09:00:00.000Z',
  created_at: '2026-03-01T09:00:00.000Z',
};

export const newPreviewLinkExample = {
  ...previewLinkExample,
  url: 'https://api.example.com/preview/vK1t3mXy0b8nQe5cRzUoW2aLh7dPjG4sFiT6yNqE9xA',
};
