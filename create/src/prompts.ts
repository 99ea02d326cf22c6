import { TEMPLATES, TEMPLATE_NAMES, type TemplateName } from './templates.js'

/** The part of `@clack/prompts` that is used. Results are symbols after Ctrl-C. */
export interface Prompts {
  intro(title: string): void
  text(options: {
    message: string
    initialValue: string
    validate: (value: string | undefined) => string | undefined
  }): Promise<string | symbol>
  select(options: {
    message: string
    options: { value: TemplateName; label: string; hint: string }[]
  }): Promise<TemplateName | symbol>
}

/** Thrown where the user aborts with Ctrl-C. */
export class Aborted extends Error {
  override readonly name = 'Aborted'
}

export const DEFAULT_FOLDER = 'vue-chain-app'

/** Prompts for a folder until one without a problem is entered. */
export const promptForFolder = async (
  prompts: Prompts,
  problemOf: (folder: string) => string | undefined,
): Promise<string> =>
  notAborted(
    await prompts.text({
      message: 'Folder of the app',
      initialValue: DEFAULT_FOLDER,
      validate: (folder = '') => problemOf(folder),
    }),
  )

export const promptForTemplate = async (prompts: Prompts): Promise<TemplateName> =>
  notAborted(
    await prompts.select({
      message: 'Template',
      options: TEMPLATE_NAMES.map((name) => ({ value: name, label: name, hint: TEMPLATES[name] })),
    }),
  )

function notAborted<Value extends string>(value: Value | symbol): Value {
  if (typeof value === 'symbol') throw new Aborted('Aborted: nothing was written.')
  return value
}
