// What the editor of extractors uses of the data model: asking for a field that is not there.
export { RequestField } from './request-field.tsx';
