import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wordPressFolder } from '../../../tools/dev/systems.ts';
import { eventually } from '../../support/eventually.ts';
import { end, freePort, imagesIn, start } from './processes.ts';
import { startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';

const run = promisify(execFile);

export interface WordPressPost {
  readonly id: number;
  readonly slug: string;
  readonly status: string;
  readonly title: { readonly raw: string };
  readonly content: { readonly raw: string };
  readonly categories: readonly number[];
  readonly tags: readonly number[];
}

/** WordPress itself, on a MariaDB of its own, with an administrator for what a person does there. */
export interface WordPress {
  readonly proxy: Proxy;
  readonly user: string;
  posts(): Promise<readonly WordPressPost[]>;
  /** Calls its REST API as the administrator, past the proxy. */
  call(method: string, path: string, body?: object): Promise<any>;
  newPassword(): Promise<string>;
  revokePasswords(): Promise<void>;
  images(): Promise<readonly Buffer[]>;
  close(): Promise<void>;
}

const config = (socket: string, url: string): string => `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4');
define('AUTH_KEY', 'a');
define('SECURE_AUTH_KEY', 'b');
define('LOGGED_IN_KEY', 'c');
define('NONCE_KEY', 'd');
$table_prefix = 'wp_';
define('WP_ENVIRONMENT_TYPE', 'local');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_DEFAULT_THEME', 'plain');
define('WP_HOME', '${url}');
define('WP_SITEURL', '${url}');
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** Has the server answer addresses that are no files. */
const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file(__DIR__ . '/site' . $path)) return false;
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
chdir(__DIR__ . '/site');
require __DIR__ . '/site/index.php';
`;

/** A program that runs in WordPress. */
const inside = (code: string): string => `<?php
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';
${code}
`;
const INSTALL = inside(`define('WP_INSTALLING', true);
require __DIR__ . '/site/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('A WordPress', 'admin', 'admin@example.com', true, '', 'unused');
update_option('permalink_structure', '/%postname%/');
wp_delete_post(1, true);
(new WP_User(wp_create_user('editor', 'unused', 'editor@example.com')))->set_role('editor');`);
const PASSWORD = inside(`require __DIR__ . '/site/wp-load.php';
$user = get_user_by('login', $argv[1])->ID;
if ($argv[2] === 'none') WP_Application_Passwords::delete_all_application_passwords($user);
else {
  [$password] = WP_Application_Passwords::create_new_application_password($user, ['name' => uniqid()]);
  echo WP_Application_Passwords::chunk_password($password);
}`);

export async function startWordPress(): Promise<WordPress> {
  const folder = await mkdtemp(join(tmpdir(), 'presswork-wordpress-'));
  const [site, data, socket] = ['site', 'data', 'socket'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const port = await freePort();
  const proxy = await startProxy(
    () => port,
    (path) => path.startsWith('/wp-json/wp/v2/posts'),
  );
  await cp(wordPressFolder(), site, { recursive: true });
  await mkdir(join(site, 'wp-content/themes/plain'), { recursive: true });
  await writeFile(join(site, 'wp-content/themes/plain/style.css'), '/* Theme Name: Plain */\n');
  await writeFile(join(site, 'wp-content/themes/plain/index.php'), '<?php the_content();\n');
  await writeFile(join(site, 'wp-config.php'), config(socket, proxy.url));
  for (const [name, code] of Object.entries({ router: ROUTER, install: INSTALL, password: PASSWORD }))
    await writeFile(join(folder, `${name}.php`), code);

  const options = ['--no-defaults', `--datadir=${data}`, '--user=root'];
  await run('mariadb-install-db', [...options, '--auth-root-authentication-method=normal']);
  const database = start(
    'mariadbd',
    [...options, `--socket=${socket}`, '--skip-networking', '--innodb-buffer-pool-size=64M'],
    {},
  );
  const query = (text: string) => run('mariadb', ['--no-defaults', '-S', socket, '-u', 'root', '-e', text]);
  await eventually(
    'MariaDB answers',
    () =>
      query('select 1').then(
        () => true,
        () => false,
      ),
    300,
  );
  await query('create database wordpress');
  await run('php', [join(folder, 'install.php')]);
  const server = start('php', ['-S', `127.0.0.1:${port}`, '-t', site, join(folder, 'router.php')], {
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: '3' },
  });
  const api = `http://127.0.0.1:${port}/wp-json/wp/v2`;
  await eventually(
    'WordPress answers',
    () =>
      fetch(api).then(
        ({ ok }) => ok,
        () => false,
      ),
    300,
  );

  const passwordOf = async (user: string, which: 'new' | 'none'): Promise<string> =>
    (await run('php', [join(folder, 'password.php'), user, which])).stdout;
  const pair = Buffer.from(`admin:${await passwordOf('admin', 'new')}`).toString('base64');
  const call: WordPress['call'] = async (method, path, body) => {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Basic ${pair}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    proxy,
    user: 'editor',
    call,
    posts: () => call('GET', '/posts?context=edit&per_page=100&status=publish,future,draft,pending,private'),
    newPassword: () => passwordOf('editor', 'new'),
    revokePasswords: async () => void (await passwordOf('editor', 'none')),
    images: () => imagesIn(join(site, 'wp-content/uploads')),
    async close() {
      await end(server);
      await end(database);
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
