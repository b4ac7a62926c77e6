declare module '@kusto/language-service-next/bridge.min.js';
declare module '@kusto/language-service-next/Kusto.Language.Bridge.min.js';
