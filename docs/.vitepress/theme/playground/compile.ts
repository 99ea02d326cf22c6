import {
  compileScript,
  compileStyle,
  compileTemplate,
  parse,
  type SFCDescriptor,
  type SFCTemplateBlock,
} from 'vue/compiler-sfc'
import { transform } from 'sucrase'
import { isComponent } from './is-component.js'

/** A program as a module and its styles. */
export interface Compiled {
  readonly code: string
  readonly css: string
}

const ID = 'app'
const FILENAME = 'App.vue'

/** Compiles a component or a module. Throws the first error, `SyntaxError` with the line of the program. */
export function compile(source: string): Compiled {
  if (!isComponent(source)) return { code: withLine(() => stripTypes(source)), css: '' }
  const { descriptor, errors } = parse(source, { filename: FILENAME })
  const [error] = errors
  if (error !== undefined) throw withLineOf(error)
  const component = withLine(() => componentOf(descriptor))
  return { code: stripTypes(component), css: stylesOf(descriptor) }
}

/** The default export with its render function. */
function componentOf(descriptor: SFCDescriptor): string {
  const { script, scriptSetup, template } = descriptor
  // also reports what an inline template would not
  const rendered = template === null ? '' : renderOf(template, descriptor)
  const inlineTemplate = scriptSetup !== null
  const scopeId = isScoped(descriptor) ? `component.__scopeId = 'data-v-${ID}'` : ''
  const options =
    script === null && scriptSetup === null
      ? 'const component = {}'
      : compileScript(descriptor, { id: ID, inlineTemplate, genDefaultAs: 'component' }).content
  const render = inlineTemplate || template === null ? '' : `${rendered}\ncomponent.render = render`
  return [options, render, scopeId, 'export default component'].join('\n')
}

function renderOf({ content, loc }: SFCTemplateBlock, descriptor: SFCDescriptor): string {
  const expressionPlugins = descriptor.scriptSetup?.lang === 'ts' ? (['typescript'] as const) : []
  const { code, errors } = compileTemplate({
    source: content,
    id: ID,
    filename: FILENAME,
    scoped: isScoped(descriptor),
    compilerOptions: { expressionPlugins: [...expressionPlugins] },
  })
  const [error] = errors
  if (error !== undefined) throw withLineOf(error, loc.start.line - 1)
  return code
}

function withLine<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof LocatedError ? error : withLineOf(error)
  }
}

class LocatedError extends SyntaxError {
  override readonly name = 'SyntaxError'
}

/**
 * Compilers count lines from the start of what they get: `offset` lines above it. Some name them in the message only:
 * `(3:5)`.
 */
function withLineOf(error: unknown, offset = 0): LocatedError {
  const { message, loc } = (typeof error === 'object' ? error : { message: String(error) }) as CompilerFailure
  const line = loc?.start?.line ?? loc?.line ?? Number(/\((\d+):\d+\)/.exec(message)?.[1])
  const [what = ''] = message.replace(/ \(\d+:\d+\)/, '').split('\n') // without the excerpt of the program
  return new LocatedError(Number.isNaN(line) ? what : `line ${line + offset}: ${what}`)
}

/** What the compilers throw. */
interface CompilerFailure {
  readonly message: string
  readonly loc?: { readonly start?: { readonly line: number }; readonly line?: number }
}

const isScoped = ({ styles }: SFCDescriptor): boolean => styles.some(({ scoped = false }) => scoped)

const stylesOf = ({ styles }: SFCDescriptor): string =>
  styles
    .map(({ content, scoped = false }) => compileStyle({ source: content, id: ID, filename: FILENAME, scoped }).code)
    .join('\n')

const stripTypes = (code: string): string =>
  named(transform(code, { transforms: ['typescript'], disableESTransforms: true }).code)

/** A program has no files beside it: what it imports from one is a module of the frame with that name. */
const named = (code: string): string => code.replace(/( from ['"])\.\/([\w.-]+)\.js(['"])/g, '$1$2$3')
