import { HELP, readFlags, type Flags } from './flags.js'
import { generate } from './generate.js'
import { toSpecOf } from './local-spec.js'
import { nextSteps } from './next-steps.js'
import { packageManagerOf } from './package-manager.js'
import { Aborted, DEFAULT_FOLDER, promptForFolder, promptForTemplate, type Prompts } from './prompts.js'
import { Refusal } from './refusal.js'
import { problemOfTarget, toTarget } from './target.js'
import type { TemplateName } from './templates.js'

/** The process that the program runs in. */
export interface Context {
  readonly cwd: string
  /** The folder of the templates. */
  readonly templates: string
  /** `npm_config_user_agent` of the calling package manager. */
  readonly userAgent: string | undefined
  /** Undefined without a terminal: there are no prompts. */
  readonly prompts: Prompts | undefined
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

/** Creates an app as the command line and the user say. Resolves to the exit code, see the help text. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    const flags = readFlags(args)
    if (flags.help) context.print(HELP)
    else await create(flags, context)
    return 0
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Aborted)) throw error
    context.printError(error.message)
    return error instanceof Refusal ? error.exitCode : 130
  }
}

async function create(flags: Flags, context: Context): Promise<void> {
  const { cwd, templates, userAgent } = context
  const { folder, template } = await complete(flags, context)
  const target = toTarget(folder, cwd)
  const problem = problemOfTarget(target)
  if (problem !== undefined) throw new Refusal(problem)
  const vueChain = toSpecOf(target.folder, flags.vueChain, cwd)
  generate({ templates, template, target, vueChain })
  context.print(`\nCreated ${target.name} from the template ${template}. Next:\n`)
  context.print(`${nextSteps(template, target, cwd, packageManagerOf(userAgent))}\n`)
}

/** Folder and template by flags, prompts or, with `--yes`, defaults. */
async function complete(
  { folder, template, yes }: Flags,
  { cwd, prompts }: Context,
): Promise<{ folder: string; template: TemplateName }> {
  if (yes) return { folder: folder ?? DEFAULT_FOLDER, template: template ?? 'vue' }
  if (folder !== undefined && template !== undefined) return { folder, template }
  if (prompts === undefined)
    throw new Refusal('Without a terminal, give a folder and --template NAME, or --yes. See --help.', 2)
  prompts.intro('create-vue-chain')
  const problemOf = (entered: string): string | undefined => problemOfTarget(toTarget(entered, cwd))
  return {
    folder: folder ?? (await promptForFolder(prompts, problemOf)),
    template: template ?? (await promptForTemplate(prompts)),
  }
}
