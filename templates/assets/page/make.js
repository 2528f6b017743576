/** Makes an element with attributes and children; strings become text. `true` means an attribute without a value. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value === true ? '' : value)
  element.append(...children)
  return element
}
