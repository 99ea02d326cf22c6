import { compileScript, compileStyle, compileTemplate, parse, type SFCDescriptor } from 'vue/compiler-sfc'
import { transform } from 'sucrase'
import { isComponent } from './is-component.js'

/** A program as a module and its styles. */
export interface Compiled {
  readonly code: string
  readonly css: string
}

const ID = 'app'
const FILENAME = 'App.vue'

/** Compiles a component or a module. Throws the first error. */
export function compile(source: string): Compiled {
  if (!isComponent(source)) return { code: stripTypes(source), css: '' }
  const { descriptor, errors } = parse(source, { filename: FILENAME })
  const [error] = errors
  if (error !== undefined) throw error
  return { code: stripTypes(componentOf(descriptor)), css: stylesOf(descriptor) }
}

/** The default export with its render function. */
function componentOf(descriptor: SFCDescriptor): string {
  const { script, scriptSetup, template } = descriptor
  const inlineTemplate = scriptSetup !== null
  const scopeId = isScoped(descriptor) ? `component.__scopeId = 'data-v-${ID}'` : ''
  const options =
    script === null && scriptSetup === null
      ? 'const component = {}'
      : compileScript(descriptor, { id: ID, inlineTemplate, genDefaultAs: 'component' }).content
  const render =
    inlineTemplate || template === null ? '' : `${renderOf(template.content, descriptor)}\ncomponent.render = render`
  return [options, render, scopeId, 'export default component'].join('\n')
}

function renderOf(source: string, descriptor: SFCDescriptor): string {
  const { code, errors } = compileTemplate({ source, id: ID, filename: FILENAME, scoped: isScoped(descriptor) })
  const [error] = errors
  if (error !== undefined) throw typeof error === 'string' ? new SyntaxError(error) : error
  return code
}

const isScoped = ({ styles }: SFCDescriptor): boolean => styles.some(({ scoped = false }) => scoped)

const stylesOf = ({ styles }: SFCDescriptor): string =>
  styles
    .map(({ content, scoped = false }) => compileStyle({ source: content, id: ID, filename: FILENAME, scoped }).code)
    .join('\n')

const stripTypes = (code: string): string =>
  transform(code, { transforms: ['typescript'], disableESTransforms: true }).code
