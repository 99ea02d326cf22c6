import { describe, expect, it } from 'vitest'
import { runCollected as run } from './run-collected.js'

describe('vue-chain', () => {
  it.each(['--help', '-h'])('lists its subcommands with %s', async (flag) => {
    const { code, out, err } = await run(flag)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('  devnode  run a Kaspa network on this machine, for development')
  })

  it('prints the help as an error and exits with 2 without a subcommand', async () => {
    const { code, out, err } = await run()
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('vue-chain <subcommand>')
  })

  it.each(['mine', 'toString', '--url=ws://127.0.0.1'])('exits with 2 for the unknown subcommand %s', async (name) => {
    expect(await run(name)).toEqual({
      code: 2,
      out: '',
      err: `vue-chain: unknown subcommand "${name}". See --help.`,
    })
  })

  it('hands the other arguments to the subcommand and returns its exit code', async () => {
    expect((await run('devnode', '--help')).out).toContain('--block-interval')
    expect(await run('devnode', '--colour')).toEqual({
      code: 1,
      out: '',
      err: "vue-chain-devnode: Unknown option '--colour'. See --help.",
    })
  })
})
