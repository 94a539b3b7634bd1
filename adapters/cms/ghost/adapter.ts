import type { CmsAdapter, PushOutcome } from '../../../domain/cms/adapter.ts';
import type { Renderer } from '../../markdown/renderer.ts';
import { createPrepare } from '../posts/prepare.ts';
import { pushPost } from '../posts/push-post.ts';
import type { Prepare } from '../posts/post-system.ts';
import { asGhostKeeps, createGhostApi } from './api.ts';
import type { GhostPorts } from './api.ts';

/** Posts of Ghost. */
export const createGhostAdapter = (ports: GhostPorts & { readonly renderer: Renderer }): CmsAdapter => ({
  batch: 1,
  async test(remote) {
    const title = await createGhostApi(ports, remote).readSite();
    return `Ghost accepts the key${title === '' ? '' : ` for “${title}”`}.`;
  },
  async push(remote, changes, tools) {
    const api = createGhostApi(ports, remote);
    const create = createPrepare(ports.renderer, remote, tools, api.upload);
    const prepare: Prepare = async (change) => asGhostKeeps(await create(change));
    const outcomes: PushOutcome[] = [];
    for (const change of changes) outcomes.push(await pushPost(api, change, prepare, tools));
    return outcomes;
  },
});
