/** Examples of the reference; tests hold them against the schemas. */
const uploadId = '0197a0c4-4444-7d30-9b64-2f1f0d3c8a11';

export const uploadRequestExample = {
  file_name: 'tea.webp',
  content_type: 'image/webp',
  size_bytes: 48_210,
  bucket: 'blog-images',
};

export const reservationExample = {
  upload_id: uploadId,
  upload_url: 'https://storage.example.com/uploads/0197a0c4?X-Amz-Signature=5d1c',
  upload_url_replayable: true,
  method: 'PUT',
  headers: { 'Content-Type': 'image/webp' },
  expires_at: '2026-03-01T09:15:00.000Z',
  max_size_bytes: 48_210,
};

export const registerExample = { upload_id: uploadId, alt_text: 'A cup of tea' };
export const mediaUpdateExample = { alt_text: 'A cup of green tea' };

export const assetExample = {
  id: '0197a0c4-5555-7d30-9b64-2f1f0d3c8a11',
  bucket: 'blog-images',
  url: 'https://media.example.com/tea.webp',
  srcset:
    'https://media.example.com/tea.webp?width=320 320w, https://media.example.com/tea.webp?width=640 640w, https://media.example.com/tea.webp?width=960 960w, https://media.example.com/tea.webp 1200w',
  file_name: 'tea.webp',
  mime_type: 'image/webp',
  size_bytes: 48_210,
  width: 1_200,
  height: 800,
  alt_text: 'A cup of tea',
  created_at: '2026-03-01T09:00:00.000Z',
};
