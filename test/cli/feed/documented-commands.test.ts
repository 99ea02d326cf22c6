import { parseYAML } from 'confbox/yaml'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { INITIAL_REPORT, serveStatus } from '../../../src/cli/feed/status-server.js'
import { FLAGS, readFlags } from '../../../src/cli/feed/flags.js'
import { runCli } from '../../../src/cli/run-cli.js'
import { streamOf, transferSubjects } from '../../../src/feed/jetstream/ensure-stream.js'

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8')
const page = read('docs/feed.md')
const compose = read('examples/feed/compose.yaml')
const dockerfile = read('examples/feed/Dockerfile')

/** The commands of the page and of the example, without variables before them; `#` begins a comment. */
const commands = [
  ...[...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.trim().split('\n')),
  ...[...page.matchAll(/`((?:docker|nats|npx|curl) [^`]+)`/g)].map(([, command = '']) => command),
  ...[...`${compose}\n${dockerfile}`.matchAll(/(?:^|[:\s])(docker (?:build|run|compose) .*)$/gm)].map(
    ([, command = '']) => command,
  ),
  ...[...compose.matchAll(/command: (npx .*)$/gm)].map(([, command = '']) => command),
].map((command) => command.replace(/^(?:[A-Z_]+=\S+ )+/, ''))

/** The arguments after the words that a command begins with; undefined for another command. */
const argumentsOf = (command: string, start: RegExp): readonly string[] | undefined => {
  const found = start.exec(command)
  return found === null ? undefined : command.slice(found[0].length).split(' ').filter(Boolean)
}

const known = new Set([manifest.name, ...Object.keys(manifest.peerDependencies)])
const feedEnv = { VUE_CHAIN_ADDRESSES: 'kaspa:qq' }

/** What checks a command, by what it begins with; undefined for one that is checked elsewhere. */
const checks: readonly (readonly [RegExp, ((args: readonly string[], command: string) => unknown) | undefined])[] = [
  [
    /^npx (?:--yes )?(?:-p \S+ )*vue-chain feed/,
    (args, command) => {
      for (const [, name = ''] of command.matchAll(/ -p (\S+)/g)) expect(known).toContain(name)
      expect(readFlags(args, args.includes('--contracts') ? {} : feedEnv)).not.toBeNull()
    },
  ],
  [
    /^npx vue-chain doctor/,
    async (args) => {
      const ignore = (): void => undefined
      const context = { print: ignore, printError: ignore, untilInterrupted: () => Promise.resolve() }
      expect(await runCli(['doctor', ...args, '--help'], context)).toBe(0) // an unknown flag comes first
    },
  ],
  [/^curl /, undefined], // below
  [/^pg_dump |^pg_restore /, undefined], // documented-sql.test.ts
  [/^nats kv (?:add|put|del) watched/, undefined], // open-nats.test.ts
  [
    /^nats stream purge /,
    ([stream, subjectFlag, subject]) => {
      expect(stream).toBe(streamOf('mainnet'))
      expect([subjectFlag, subject]).toEqual(['--subject', `'${transferSubjects('mainnet')}'`])
    },
  ],
  [
    /^docker compose /,
    (args) => {
      const { services } = parseYAML<{ services: Readonly<Record<string, { readonly profiles?: string[] }>> }>(compose)
      const at = args.indexOf('--profile')
      const profile = at === -1 ? undefined : args[at + 1]
      if (profile !== undefined) expect(Object.values(services).flatMap(({ profiles }) => profiles)).toContain(profile)
      expect(args).toContain('up')
      const named = args.slice(args.indexOf('up') + 1).map((word) => word.replace(/=\d+$/, ''))
      for (const name of named.filter((word) => word !== '--scale')) expect(services).toHaveProperty(name)
    },
  ],
  [/^docker build -t feed examples\/feed$/, () => expect(dockerfile).toMatch(/^FROM /m)],
  [
    /^docker run /,
    (args) => {
      const image = args.indexOf('feed')
      const env = Object.fromEntries(
        args
          .slice(0, image)
          .filter((word) => word !== '-e')
          .map((word) => word.split('=')),
      )
      const variables = Object.values(FLAGS).map((flag): string => flag.env)
      expect(Object.keys(env).filter((name) => !variables.includes(name))).toEqual([])
      expect(readFlags(args.slice(image + 1), { VUE_CHAIN_NETWORK: env.VUE_CHAIN_NETWORK })).not.toBeNull()
    },
  ],
]

describe('the commands of docs/feed.md and examples/feed', () => {
  it.each(commands)('%s', async (command) => {
    const [start, check] = checks.find(([start]) => start.test(command)) ?? []
    if (start === undefined) throw new Error(`No check for "${command}"`)
    await check?.(argumentsOf(command, start) ?? [], command)
  })

  it('are all found', () => {
    expect(commands.length).toBeGreaterThan(15)
  })

  it('show the state by curl', async () => {
    const report = () => ({ ...INITIAL_REPORT, health: { ...INITIAL_REPORT.health, isAlive: true } })
    const server = await serveStatus({ host: '127.0.0.1', port: 0 }, report, () => '')
    try {
      for (const command of commands.filter((text) => text.startsWith('curl '))) {
        const [, ...args] = command.replace(`http://127.0.0.1:${FLAGS.port.value}`, server.url).split(' ')
        expect(args.at(-1)).toMatch(server.url)
        const { stdout } = await promisify(execFile)('curl', args)
        expect(JSON.parse(stdout)).toMatchObject({ phase: 'stopped', isAlive: true, causes: ['stopped'] })
      }
    } finally {
      await server.close()
    }
  })

  it('install in the image what its command needs, and run it', () => {
    const [, packages = ''] = /npm install (.*?) &&/.exec(dockerfile) ?? []
    expect(packages.split(' ').filter((name) => !known.has(name))).toEqual([])
    expect(packages.split(' ')).toEqual(
      expect.arrayContaining(['vue-chain', 'rxjs', 'pg', '@nats-io/transport-node', '@nats-io/jetstream']),
    )
    const [, entry = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? []
    expect(JSON.parse(entry)).toEqual(['node_modules/.bin/vue-chain', 'feed'])
    expect(manifest.bin).toHaveProperty('vue-chain')
    for (const [, name = ''] of dockerfile.matchAll(/^ENV (\w+)=/gm))
      expect(Object.values(FLAGS).map(({ env }): string => env)).toContain(name)
    expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${FLAGS.port.value}$`, 'm'))
  })
})
