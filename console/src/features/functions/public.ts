// What other features use of saved functions: their list with its dialogs.
export { FunctionsList } from './functions-list.tsx';
