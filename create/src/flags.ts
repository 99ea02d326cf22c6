import { parseArgs } from 'node:util'
import { Refusal } from './refusal.js'
import { TEMPLATES, TEMPLATE_NAMES, isTemplateName, type TemplateName } from './templates.js'

/** The parsed command line; what it leaves out is undefined. */
export interface Flags {
  readonly folder: string | undefined
  readonly template: TemplateName | undefined
  /** Version, tag, URL or `file:` path of the package vue-chain. */
  readonly vueChain: string | undefined
  readonly yes: boolean
  readonly help: boolean
}

const OPTIONS = {
  template: { type: 'string', short: 't' },
  'vue-chain': { type: 'string' },
  yes: { type: 'boolean', short: 'y', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Throws `Refusal` with exit code 2 for an unknown flag, an unknown template or a second folder. */
export function readFlags(args: readonly string[]): Flags {
  const { values, positionals } = parse(args)
  const { template, 'vue-chain': vueChain, yes, help } = values
  if (positionals.length > 1) throw new Refusal(`One folder is expected, not ${positionals.length}.`, 2)
  if (template !== undefined && !isTemplateName(template))
    throw new Refusal(`There is no template "${template}": take one of ${TEMPLATE_NAMES.join(', ')}.`, 2)
  return { folder: positionals[0], template, vueChain, yes, help }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    const message = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new Refusal(`${message}. See --help.`, 2)
  }
}

export const HELP = `Usage: npm create vue-chain@latest [folder] -- [options]

Creates an app on Kaspa in a new or empty folder, and prompts for what is not given.

Options:
  -t, --template NAME    ${TEMPLATE_NAMES.join(', ')}
      --vue-chain SPEC   version, tag, URL or file: path of the package vue-chain
  -y, --yes              no prompts: the folder vue-chain-app, the template vue
  -h, --help             print this text

Templates:
${Object.entries(TEMPLATES)
  .map(([name, about]) => `  ${name.padEnd(9)} ${about}`)
  .join('\n')}

Exit codes: 0 created, 1 refused, 2 wrong command line, 130 aborted by Ctrl-C.`
