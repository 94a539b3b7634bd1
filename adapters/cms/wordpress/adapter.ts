import { PushFailure } from '../../../domain/cms/adapter.ts';
import type { CmsAdapter, PushOutcome } from '../../../domain/cms/adapter.ts';
import type { Renderer } from '../../markdown/renderer.ts';
import { createPrepare } from '../posts/prepare.ts';
import { pushPost } from '../posts/push-post.ts';
import { createWordPressApi } from './api.ts';
import type { WordPressPorts } from './api.ts';

/** Posts of WordPress. */
export const createWordPressAdapter = (
  ports: WordPressPorts & { readonly renderer: Renderer },
): CmsAdapter => ({
  batch: 1,
  async test(remote) {
    const { name, mayPublish } = await createWordPressApi(ports, remote).readUser();
    if (!mayPublish)
      throw new PushFailure(`The user ${name} may not publish posts. Give it the role of an editor.`, {
        final: true,
      });
    return `WordPress accepts the password, and ${name} may publish.`;
  },
  async push(remote, changes, tools) {
    const api = createWordPressApi(ports, remote);
    const prepare = createPrepare(ports.renderer, remote, tools, api.upload);
    const outcomes: PushOutcome[] = [];
    for (const change of changes) outcomes.push(await pushPost(api, change, prepare, tools));
    return outcomes;
  },
});
