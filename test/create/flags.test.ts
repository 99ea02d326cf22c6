import { describe, expect, it } from 'vitest'
import { HELP, readFlags } from '../../create/src/flags.js'
import { Refusal } from '../../create/src/refusal.js'
import { TEMPLATE_NAMES } from '../../create/src/templates.js'

describe('the command line of create-vue-chain', () => {
  it('reads folder, template and package in any order', () => {
    expect(readFlags(['app', '--template', 'nuxt', '--vue-chain', 'next'])).toEqual({
      folder: 'app',
      template: 'nuxt',
      vueChain: 'next',
      yes: false,
      help: false,
    })
    expect(readFlags(['-y', '-t', 'vue', 'app'])).toMatchObject({ folder: 'app', template: 'vue', yes: true })
  })

  it('leaves everything open without arguments', () => {
    expect(readFlags([])).toMatchObject({ folder: undefined, template: undefined, vueChain: undefined, yes: false })
  })

  it.each([
    [['app', '--template', 'react'], 'There is no template "react": take one of vue, nuxt, service, shop, vanilla.'],
    [['one', 'two'], 'One folder is expected, not 2.'],
    [['--colour'], "Unknown option '--colour'. See --help."],
    [['--template'], "Option '-t, --template <value>' argument missing. See --help."],
  ])('refuses %j', (args, message) => {
    const read = (): unknown => readFlags(args)
    expect(read).toThrow(new Refusal(message, 2))
    expect(read).toThrow(expect.objectContaining({ exitCode: 2 }))
  })

  it('names every template in its help', () => {
    for (const name of TEMPLATE_NAMES) expect(HELP).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  })
})
