// Generated from proto/meshrelay/relay/v1/relay.proto by scripts/generate.ts; run that to regenerate it.
// @ts-nocheck
import type { GeneratedRoot } from '../codec/wire.ts';
/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
import $protobuf from "protobufjs/minimal.js";

const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

const $root: Record<string, any> = $protobuf.roots["meshrelay.relay.v1"] || ($protobuf.roots["meshrelay.relay.v1"] = {});

export const meshrelay: GeneratedRoot = $root.meshrelay = (() => {

    const meshrelay = {};

    meshrelay.relay = (function() {

        const relay = {};

        relay.v1 = (function() {

            const v1 = {};

            v1.RegisterRequest = (function() {

                const RegisterRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                RegisterRequest.prototype.cluster = "";
                RegisterRequest.prototype.token = "";
                RegisterRequest.prototype.csrPem = "";
                RegisterRequest.prototype.program = "";

                RegisterRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.cluster != null && $Object.hasOwnProperty.call(message, "cluster") && message.cluster !== "")
                        writer.uint32(10).string(message.cluster);
                    if (message.token != null && $Object.hasOwnProperty.call(message, "token") && message.token !== "")
                        writer.uint32(18).string(message.token);
                    if (message.csrPem != null && $Object.hasOwnProperty.call(message, "csrPem") && message.csrPem !== "")
                        writer.uint32(26).string(message.csrPem);
                    if (message.program != null && $Object.hasOwnProperty.call(message, "program") && message.program !== "")
                        writer.uint32(34).string(message.program);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                RegisterRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.RegisterRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.cluster = value;
                                else
                                    delete message.cluster;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.token = value;
                                else
                                    delete message.token;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.csrPem = value;
                                else
                                    delete message.csrPem;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.program = value;
                                else
                                    delete message.program;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RegisterRequest;
            })();

            v1.RegisterResponse = (function() {

                const RegisterResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                RegisterResponse.prototype.certificatePem = "";
                RegisterResponse.prototype.rootsPem = "";

                RegisterResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.certificatePem != null && $Object.hasOwnProperty.call(message, "certificatePem") && message.certificatePem !== "")
                        writer.uint32(10).string(message.certificatePem);
                    if (message.rootsPem != null && $Object.hasOwnProperty.call(message, "rootsPem") && message.rootsPem !== "")
                        writer.uint32(18).string(message.rootsPem);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                RegisterResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.RegisterResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.certificatePem = value;
                                else
                                    delete message.certificatePem;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.rootsPem = value;
                                else
                                    delete message.rootsPem;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RegisterResponse;
            })();

            v1.RenewRequest = (function() {

                const RenewRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                RenewRequest.prototype.csrPem = "";
                RenewRequest.prototype.expiredCertificatePem = "";
                RenewRequest.prototype.challenge = $util.newBuffer([]);
                RenewRequest.prototype.proof = $util.newBuffer([]);

                RenewRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.csrPem != null && $Object.hasOwnProperty.call(message, "csrPem") && message.csrPem !== "")
                        writer.uint32(10).string(message.csrPem);
                    if (message.expiredCertificatePem != null && $Object.hasOwnProperty.call(message, "expiredCertificatePem") && message.expiredCertificatePem !== "")
                        writer.uint32(18).string(message.expiredCertificatePem);
                    if (message.challenge != null && $Object.hasOwnProperty.call(message, "challenge") && message.challenge.length)
                        writer.uint32(26).bytes(message.challenge);
                    if (message.proof != null && $Object.hasOwnProperty.call(message, "proof") && message.proof.length)
                        writer.uint32(34).bytes(message.proof);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                RenewRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.RenewRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.csrPem = value;
                                else
                                    delete message.csrPem;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.expiredCertificatePem = value;
                                else
                                    delete message.expiredCertificatePem;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.challenge = value;
                                else
                                    delete message.challenge;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.proof = value;
                                else
                                    delete message.proof;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RenewRequest;
            })();

            v1.RenewResponse = (function() {

                const RenewResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                RenewResponse.prototype.certificatePem = "";
                RenewResponse.prototype.rootsPem = "";
                RenewResponse.prototype.challenge = $util.newBuffer([]);

                RenewResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.certificatePem != null && $Object.hasOwnProperty.call(message, "certificatePem") && message.certificatePem !== "")
                        writer.uint32(10).string(message.certificatePem);
                    if (message.rootsPem != null && $Object.hasOwnProperty.call(message, "rootsPem") && message.rootsPem !== "")
                        writer.uint32(18).string(message.rootsPem);
                    if (message.challenge != null && $Object.hasOwnProperty.call(message, "challenge") && message.challenge.length)
                        writer.uint32(26).bytes(message.challenge);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                RenewResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.RenewResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.certificatePem = value;
                                else
                                    delete message.certificatePem;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.rootsPem = value;
                                else
                                    delete message.rootsPem;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.challenge = value;
                                else
                                    delete message.challenge;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RenewResponse;
            })();

            v1.TrustRequest = (function() {

                const TrustRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                TrustRequest.prototype.bundle = "";

                TrustRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.bundle != null && $Object.hasOwnProperty.call(message, "bundle") && message.bundle !== "")
                        writer.uint32(10).string(message.bundle);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                TrustRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.TrustRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.bundle = value;
                                else
                                    delete message.bundle;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return TrustRequest;
            })();

            v1.TrustResponse = (function() {

                const TrustResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                TrustResponse.prototype.rootsPem = "";
                TrustResponse.prototype.renew = false;
                TrustResponse.prototype.seconds = 0;

                TrustResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.rootsPem != null && $Object.hasOwnProperty.call(message, "rootsPem") && message.rootsPem !== "")
                        writer.uint32(10).string(message.rootsPem);
                    if (message.renew != null && $Object.hasOwnProperty.call(message, "renew") && message.renew !== false)
                        writer.uint32(16).bool(message.renew);
                    if (message.seconds != null && $Object.hasOwnProperty.call(message, "seconds") && message.seconds !== 0)
                        writer.uint32(24).uint32(message.seconds);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                TrustResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.TrustResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.rootsPem = value;
                                else
                                    delete message.rootsPem;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.renew = value;
                                else
                                    delete message.renew;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.seconds = value;
                                else
                                    delete message.seconds;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return TrustResponse;
            })();

            v1.SignRequest = (function() {

                const SignRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                SignRequest.prototype.namespace = "";
                SignRequest.prototype.name = "";
                SignRequest.prototype.csrPem = "";

                SignRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.namespace != null && $Object.hasOwnProperty.call(message, "namespace") && message.namespace !== "")
                        writer.uint32(10).string(message.namespace);
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(18).string(message.name);
                    if (message.csrPem != null && $Object.hasOwnProperty.call(message, "csrPem") && message.csrPem !== "")
                        writer.uint32(26).string(message.csrPem);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                SignRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.SignRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.namespace = value;
                                else
                                    delete message.namespace;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.csrPem = value;
                                else
                                    delete message.csrPem;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return SignRequest;
            })();

            v1.SignResponse = (function() {

                const SignResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                SignResponse.prototype.chainPem = "";
                SignResponse.prototype.rootsPem = "";

                SignResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.chainPem != null && $Object.hasOwnProperty.call(message, "chainPem") && message.chainPem !== "")
                        writer.uint32(10).string(message.chainPem);
                    if (message.rootsPem != null && $Object.hasOwnProperty.call(message, "rootsPem") && message.rootsPem !== "")
                        writer.uint32(18).string(message.rootsPem);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                SignResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.SignResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.chainPem = value;
                                else
                                    delete message.chainPem;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.rootsPem = value;
                                else
                                    delete message.rootsPem;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return SignResponse;
            })();

            v1.PushRequest = (function() {

                const PushRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                PushRequest.prototype.hello = null;
                PushRequest.prototype.contentRequest = null;
                PushRequest.prototype.delta = null;
                PushRequest.prototype.heartbeat = null;
                PushRequest.prototype.resume = null;
                PushRequest.prototype.kinds = null;

                let $oneOfFields;

                $Object.defineProperty(PushRequest.prototype, "message", {
                    get: $util.oneOfGetter($oneOfFields = ["hello", "contentRequest", "delta", "heartbeat", "resume", "kinds"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                PushRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.hello != null && $Object.hasOwnProperty.call(message, "hello"))
                        $root.meshrelay.relay.v1.Hello.encode(message.hello, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.contentRequest != null && $Object.hasOwnProperty.call(message, "contentRequest"))
                        $root.meshrelay.relay.v1.ContentRequest.encode(message.contentRequest, writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.delta != null && $Object.hasOwnProperty.call(message, "delta"))
                        $root.meshrelay.relay.v1.Delta.encode(message.delta, writer.uint32(42).fork(), _depth + 1).ldelim();
                    if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat"))
                        $root.meshrelay.relay.v1.Heartbeat.encode(message.heartbeat, writer.uint32(74).fork(), _depth + 1).ldelim();
                    if (message.resume != null && $Object.hasOwnProperty.call(message, "resume"))
                        $root.meshrelay.relay.v1.Resume.encode(message.resume, writer.uint32(82).fork(), _depth + 1).ldelim();
                    if (message.kinds != null && $Object.hasOwnProperty.call(message, "kinds"))
                        $root.meshrelay.relay.v1.KindList.encode(message.kinds, writer.uint32(90).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                PushRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.PushRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.hello = $root.meshrelay.relay.v1.Hello.decode(reader, reader.size(), $undefined, _depth + 1, message.hello);
                                message.message = "hello";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.contentRequest = $root.meshrelay.relay.v1.ContentRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.contentRequest);
                                message.message = "contentRequest";
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.delta = $root.meshrelay.relay.v1.Delta.decode(reader, reader.size(), $undefined, _depth + 1, message.delta);
                                message.message = "delta";
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                message.heartbeat = $root.meshrelay.relay.v1.Heartbeat.decode(reader, reader.size(), $undefined, _depth + 1, message.heartbeat);
                                message.message = "heartbeat";
                                continue;
                            }
                        case 10: {
                                if (wireType !== 2)
                                    break;
                                message.resume = $root.meshrelay.relay.v1.Resume.decode(reader, reader.size(), $undefined, _depth + 1, message.resume);
                                message.message = "resume";
                                continue;
                            }
                        case 11: {
                                if (wireType !== 2)
                                    break;
                                message.kinds = $root.meshrelay.relay.v1.KindList.decode(reader, reader.size(), $undefined, _depth + 1, message.kinds);
                                message.message = "kinds";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return PushRequest;
            })();

            v1.PushResponse = (function() {

                const PushResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                PushResponse.prototype.welcome = null;
                PushResponse.prototype.have = null;
                PushResponse.prototype.ack = null;
                PushResponse.prototype.resync = null;
                PushResponse.prototype.heartbeat = null;
                PushResponse.prototype.move = null;

                let $oneOfFields;

                $Object.defineProperty(PushResponse.prototype, "message", {
                    get: $util.oneOfGetter($oneOfFields = ["welcome", "have", "ack", "resync", "heartbeat", "move"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                PushResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome"))
                        $root.meshrelay.relay.v1.Welcome.encode(message.welcome, writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.have != null && $Object.hasOwnProperty.call(message, "have"))
                        $root.meshrelay.relay.v1.Have.encode(message.have, writer.uint32(34).fork(), _depth + 1).ldelim();
                    if (message.ack != null && $Object.hasOwnProperty.call(message, "ack"))
                        $root.meshrelay.relay.v1.Ack.encode(message.ack, writer.uint32(50).fork(), _depth + 1).ldelim();
                    if (message.resync != null && $Object.hasOwnProperty.call(message, "resync"))
                        $root.meshrelay.relay.v1.Resync.encode(message.resync, writer.uint32(58).fork(), _depth + 1).ldelim();
                    if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat"))
                        $root.meshrelay.relay.v1.Heartbeat.encode(message.heartbeat, writer.uint32(74).fork(), _depth + 1).ldelim();
                    if (message.move != null && $Object.hasOwnProperty.call(message, "move"))
                        $root.meshrelay.relay.v1.Move.encode(message.move, writer.uint32(98).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                PushResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.PushResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.welcome = $root.meshrelay.relay.v1.Welcome.decode(reader, reader.size(), $undefined, _depth + 1, message.welcome);
                                message.message = "welcome";
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.have = $root.meshrelay.relay.v1.Have.decode(reader, reader.size(), $undefined, _depth + 1, message.have);
                                message.message = "have";
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                message.ack = $root.meshrelay.relay.v1.Ack.decode(reader, reader.size(), $undefined, _depth + 1, message.ack);
                                message.message = "ack";
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                message.resync = $root.meshrelay.relay.v1.Resync.decode(reader, reader.size(), $undefined, _depth + 1, message.resync);
                                message.message = "resync";
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                message.heartbeat = $root.meshrelay.relay.v1.Heartbeat.decode(reader, reader.size(), $undefined, _depth + 1, message.heartbeat);
                                message.message = "heartbeat";
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                message.move = $root.meshrelay.relay.v1.Move.decode(reader, reader.size(), $undefined, _depth + 1, message.move);
                                message.message = "move";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return PushResponse;
            })();

            v1.PullRequest = (function() {

                const PullRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                PullRequest.prototype.hello = null;
                PullRequest.prototype.have = null;
                PullRequest.prototype.ack = null;
                PullRequest.prototype.resync = null;
                PullRequest.prototype.heartbeat = null;
                PullRequest.prototype.resume = null;
                PullRequest.prototype.kinds = null;

                let $oneOfFields;

                $Object.defineProperty(PullRequest.prototype, "message", {
                    get: $util.oneOfGetter($oneOfFields = ["hello", "have", "ack", "resync", "heartbeat", "resume", "kinds"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                PullRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.hello != null && $Object.hasOwnProperty.call(message, "hello"))
                        $root.meshrelay.relay.v1.Hello.encode(message.hello, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.have != null && $Object.hasOwnProperty.call(message, "have"))
                        $root.meshrelay.relay.v1.Have.encode(message.have, writer.uint32(34).fork(), _depth + 1).ldelim();
                    if (message.ack != null && $Object.hasOwnProperty.call(message, "ack"))
                        $root.meshrelay.relay.v1.Ack.encode(message.ack, writer.uint32(50).fork(), _depth + 1).ldelim();
                    if (message.resync != null && $Object.hasOwnProperty.call(message, "resync"))
                        $root.meshrelay.relay.v1.Resync.encode(message.resync, writer.uint32(58).fork(), _depth + 1).ldelim();
                    if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat"))
                        $root.meshrelay.relay.v1.Heartbeat.encode(message.heartbeat, writer.uint32(74).fork(), _depth + 1).ldelim();
                    if (message.resume != null && $Object.hasOwnProperty.call(message, "resume"))
                        $root.meshrelay.relay.v1.Resume.encode(message.resume, writer.uint32(82).fork(), _depth + 1).ldelim();
                    if (message.kinds != null && $Object.hasOwnProperty.call(message, "kinds"))
                        $root.meshrelay.relay.v1.KindList.encode(message.kinds, writer.uint32(90).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                PullRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.PullRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.hello = $root.meshrelay.relay.v1.Hello.decode(reader, reader.size(), $undefined, _depth + 1, message.hello);
                                message.message = "hello";
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.have = $root.meshrelay.relay.v1.Have.decode(reader, reader.size(), $undefined, _depth + 1, message.have);
                                message.message = "have";
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                message.ack = $root.meshrelay.relay.v1.Ack.decode(reader, reader.size(), $undefined, _depth + 1, message.ack);
                                message.message = "ack";
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                message.resync = $root.meshrelay.relay.v1.Resync.decode(reader, reader.size(), $undefined, _depth + 1, message.resync);
                                message.message = "resync";
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                message.heartbeat = $root.meshrelay.relay.v1.Heartbeat.decode(reader, reader.size(), $undefined, _depth + 1, message.heartbeat);
                                message.message = "heartbeat";
                                continue;
                            }
                        case 10: {
                                if (wireType !== 2)
                                    break;
                                message.resume = $root.meshrelay.relay.v1.Resume.decode(reader, reader.size(), $undefined, _depth + 1, message.resume);
                                message.message = "resume";
                                continue;
                            }
                        case 11: {
                                if (wireType !== 2)
                                    break;
                                message.kinds = $root.meshrelay.relay.v1.KindList.decode(reader, reader.size(), $undefined, _depth + 1, message.kinds);
                                message.message = "kinds";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return PullRequest;
            })();

            v1.PullResponse = (function() {

                const PullResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                PullResponse.prototype.welcome = null;
                PullResponse.prototype.contentRequest = null;
                PullResponse.prototype.delta = null;
                PullResponse.prototype.vector = null;
                PullResponse.prototype.heartbeat = null;
                PullResponse.prototype.move = null;

                let $oneOfFields;

                $Object.defineProperty(PullResponse.prototype, "message", {
                    get: $util.oneOfGetter($oneOfFields = ["welcome", "contentRequest", "delta", "vector", "heartbeat", "move"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                PullResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome"))
                        $root.meshrelay.relay.v1.Welcome.encode(message.welcome, writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.contentRequest != null && $Object.hasOwnProperty.call(message, "contentRequest"))
                        $root.meshrelay.relay.v1.ContentRequest.encode(message.contentRequest, writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.delta != null && $Object.hasOwnProperty.call(message, "delta"))
                        $root.meshrelay.relay.v1.Delta.encode(message.delta, writer.uint32(42).fork(), _depth + 1).ldelim();
                    if (message.vector != null && $Object.hasOwnProperty.call(message, "vector"))
                        $root.meshrelay.relay.v1.VectorUpdate.encode(message.vector, writer.uint32(66).fork(), _depth + 1).ldelim();
                    if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat"))
                        $root.meshrelay.relay.v1.Heartbeat.encode(message.heartbeat, writer.uint32(74).fork(), _depth + 1).ldelim();
                    if (message.move != null && $Object.hasOwnProperty.call(message, "move"))
                        $root.meshrelay.relay.v1.Move.encode(message.move, writer.uint32(98).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                PullResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.PullResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.welcome = $root.meshrelay.relay.v1.Welcome.decode(reader, reader.size(), $undefined, _depth + 1, message.welcome);
                                message.message = "welcome";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.contentRequest = $root.meshrelay.relay.v1.ContentRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.contentRequest);
                                message.message = "contentRequest";
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.delta = $root.meshrelay.relay.v1.Delta.decode(reader, reader.size(), $undefined, _depth + 1, message.delta);
                                message.message = "delta";
                                continue;
                            }
                        case 8: {
                                if (wireType !== 2)
                                    break;
                                message.vector = $root.meshrelay.relay.v1.VectorUpdate.decode(reader, reader.size(), $undefined, _depth + 1, message.vector);
                                message.message = "vector";
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                message.heartbeat = $root.meshrelay.relay.v1.Heartbeat.decode(reader, reader.size(), $undefined, _depth + 1, message.heartbeat);
                                message.message = "heartbeat";
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                message.move = $root.meshrelay.relay.v1.Move.decode(reader, reader.size(), $undefined, _depth + 1, message.move);
                                message.message = "move";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return PullResponse;
            })();

            v1.Hello = (function() {

                const Hello = function (properties) {
                    this.kinds = [];
                    this.capabilities = [];
                    this.failedPlugins = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Hello.prototype.cluster = "";
                Hello.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Hello.prototype.kinds = $util.emptyArray;
                Hello.prototype.capabilities = $util.emptyArray;
                Hello.prototype.program = "";
                Hello.prototype.window = null;
                Hello.prototype.failedPlugins = $util.emptyArray;

                Hello.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.cluster != null && $Object.hasOwnProperty.call(message, "cluster") && message.cluster !== "")
                        writer.uint32(10).string(message.cluster);
                    if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                        writer.uint32(16).uint64(message.term);
                    if (message.kinds != null && message.kinds.length)
                        for (let i = 0; i < message.kinds.length; ++i)
                            $root.meshrelay.relay.v1.Kind.encode(message.kinds[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.capabilities != null && message.capabilities.length)
                        for (let i = 0; i < message.capabilities.length; ++i)
                            writer.uint32(34).string(message.capabilities[i]);
                    if (message.program != null && $Object.hasOwnProperty.call(message, "program") && message.program !== "")
                        writer.uint32(42).string(message.program);
                    if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                        $root.meshrelay.relay.v1.Window.encode(message.window, writer.uint32(50).fork(), _depth + 1).ldelim();
                    if (message.failedPlugins != null && message.failedPlugins.length)
                        for (let i = 0; i < message.failedPlugins.length; ++i)
                            writer.uint32(58).string(message.failedPlugins[i]);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Hello.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Hello();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.cluster = value;
                                else
                                    delete message.cluster;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.term = value;
                                else
                                    delete message.term;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.kinds && message.kinds.length))
                                    message.kinds = [];
                                message.kinds.push($root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.capabilities && message.capabilities.length))
                                    message.capabilities = [];
                                message.capabilities.push(reader.stringVerify());
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.program = value;
                                else
                                    delete message.program;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                message.window = $root.meshrelay.relay.v1.Window.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.failedPlugins && message.failedPlugins.length))
                                    message.failedPlugins = [];
                                message.failedPlugins.push(reader.stringVerify());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Hello;
            })();

            v1.Resume = (function() {

                const Resume = function (properties) {
                    this.capabilities = [];
                    this.failedPlugins = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Resume.prototype.cluster = "";
                Resume.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Resume.prototype.capabilities = $util.emptyArray;
                Resume.prototype.program = "";
                Resume.prototype.window = null;
                Resume.prototype.kinds = $util.newBuffer([]);
                Resume.prototype.content = $util.newBuffer([]);
                Resume.prototype.vector = $util.newBuffer([]);
                Resume.prototype.number = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Resume.prototype.failedPlugins = $util.emptyArray;

                Resume.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.cluster != null && $Object.hasOwnProperty.call(message, "cluster") && message.cluster !== "")
                        writer.uint32(10).string(message.cluster);
                    if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                        writer.uint32(16).uint64(message.term);
                    if (message.capabilities != null && message.capabilities.length)
                        for (let i = 0; i < message.capabilities.length; ++i)
                            writer.uint32(26).string(message.capabilities[i]);
                    if (message.program != null && $Object.hasOwnProperty.call(message, "program") && message.program !== "")
                        writer.uint32(34).string(message.program);
                    if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                        $root.meshrelay.relay.v1.Window.encode(message.window, writer.uint32(42).fork(), _depth + 1).ldelim();
                    if (message.kinds != null && $Object.hasOwnProperty.call(message, "kinds") && message.kinds.length)
                        writer.uint32(50).bytes(message.kinds);
                    if (message.content != null && $Object.hasOwnProperty.call(message, "content") && message.content.length)
                        writer.uint32(58).bytes(message.content);
                    if (message.vector != null && $Object.hasOwnProperty.call(message, "vector") && message.vector.length)
                        writer.uint32(66).bytes(message.vector);
                    if (message.number != null && $Object.hasOwnProperty.call(message, "number") && (typeof message.number === "object" ? message.number.low || message.number.high : message.number !== 0))
                        writer.uint32(72).uint64(message.number);
                    if (message.failedPlugins != null && message.failedPlugins.length)
                        for (let i = 0; i < message.failedPlugins.length; ++i)
                            writer.uint32(82).string(message.failedPlugins[i]);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Resume.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Resume();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.cluster = value;
                                else
                                    delete message.cluster;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.term = value;
                                else
                                    delete message.term;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.capabilities && message.capabilities.length))
                                    message.capabilities = [];
                                message.capabilities.push(reader.stringVerify());
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.program = value;
                                else
                                    delete message.program;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.window = $root.meshrelay.relay.v1.Window.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.kinds = value;
                                else
                                    delete message.kinds;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.content = value;
                                else
                                    delete message.content;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.vector = value;
                                else
                                    delete message.vector;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.number = value;
                                else
                                    delete message.number;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.failedPlugins && message.failedPlugins.length))
                                    message.failedPlugins = [];
                                message.failedPlugins.push(reader.stringVerify());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Resume;
            })();

            v1.KindList = (function() {

                const KindList = function (properties) {
                    this.kinds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                KindList.prototype.kinds = $util.emptyArray;

                KindList.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kinds != null && message.kinds.length)
                        for (let i = 0; i < message.kinds.length; ++i)
                            $root.meshrelay.relay.v1.Kind.encode(message.kinds[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                KindList.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.KindList();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.kinds && message.kinds.length))
                                    message.kinds = [];
                                message.kinds.push($root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return KindList;
            })();

            v1.Welcome = (function() {

                const Welcome = function (properties) {
                    this.capabilities = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Welcome.prototype.capabilities = $util.emptyArray;
                Welcome.prototype.window = null;
                Welcome.prototype.resumed = false;
                Welcome.prototype.complete = false;
                Welcome.prototype.sendKinds = false;

                Welcome.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.capabilities != null && message.capabilities.length)
                        for (let i = 0; i < message.capabilities.length; ++i)
                            writer.uint32(10).string(message.capabilities[i]);
                    if (message.window != null && $Object.hasOwnProperty.call(message, "window"))
                        $root.meshrelay.relay.v1.Window.encode(message.window, writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.resumed != null && $Object.hasOwnProperty.call(message, "resumed") && message.resumed !== false)
                        writer.uint32(24).bool(message.resumed);
                    if (message.complete != null && $Object.hasOwnProperty.call(message, "complete") && message.complete !== false)
                        writer.uint32(32).bool(message.complete);
                    if (message.sendKinds != null && $Object.hasOwnProperty.call(message, "sendKinds") && message.sendKinds !== false)
                        writer.uint32(40).bool(message.sendKinds);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Welcome.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Welcome();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.capabilities && message.capabilities.length))
                                    message.capabilities = [];
                                message.capabilities.push(reader.stringVerify());
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.window = $root.meshrelay.relay.v1.Window.decode(reader, reader.size(), $undefined, _depth + 1, message.window);
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.resumed = value;
                                else
                                    delete message.resumed;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.complete = value;
                                else
                                    delete message.complete;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.sendKinds = value;
                                else
                                    delete message.sendKinds;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Welcome;
            })();

            v1.Window = (function() {

                const Window = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Window.prototype.deltas = 0;
                Window.prototype.bytes = 0;

                Window.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.deltas != null && $Object.hasOwnProperty.call(message, "deltas") && message.deltas !== 0)
                        writer.uint32(8).uint32(message.deltas);
                    if (message.bytes != null && $Object.hasOwnProperty.call(message, "bytes") && message.bytes !== 0)
                        writer.uint32(16).uint32(message.bytes);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Window.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Window();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.deltas = value;
                                else
                                    delete message.deltas;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.bytes = value;
                                else
                                    delete message.bytes;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Window;
            })();

            v1.Kind = (function() {

                const Kind = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Kind.prototype.group = "";
                Kind.prototype.version = "";
                Kind.prototype.kind = "";

                Kind.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.group != null && $Object.hasOwnProperty.call(message, "group") && message.group !== "")
                        writer.uint32(10).string(message.group);
                    if (message.version != null && $Object.hasOwnProperty.call(message, "version") && message.version !== "")
                        writer.uint32(18).string(message.version);
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== "")
                        writer.uint32(26).string(message.kind);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Kind.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Kind();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.group = value;
                                else
                                    delete message.group;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.version = value;
                                else
                                    delete message.version;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.kind = value;
                                else
                                    delete message.kind;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Kind;
            })();

            v1.ContentRequest = (function() {

                const ContentRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                ContentRequest.prototype.kind = null;
                ContentRequest.prototype.digest = $util.newBuffer([]);
                ContentRequest.prototype.buckets = $util.newBuffer([]);
                ContentRequest.prototype.round = 0;

                ContentRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                        $root.meshrelay.relay.v1.Kind.encode(message.kind, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.digest != null && $Object.hasOwnProperty.call(message, "digest") && message.digest.length)
                        writer.uint32(18).bytes(message.digest);
                    if (message.buckets != null && $Object.hasOwnProperty.call(message, "buckets") && message.buckets.length)
                        writer.uint32(26).bytes(message.buckets);
                    if (message.round != null && $Object.hasOwnProperty.call(message, "round") && message.round !== 0)
                        writer.uint32(32).uint32(message.round);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                ContentRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.ContentRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.kind = $root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1, message.kind);
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.digest = value;
                                else
                                    delete message.digest;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.buckets = value;
                                else
                                    delete message.buckets;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.round = value;
                                else
                                    delete message.round;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return ContentRequest;
            })();

            v1.Have = (function() {

                const Have = function (properties) {
                    this.entries = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Have.prototype.kind = null;
                Have.prototype.same = false;
                Have.prototype.bucketDigests = $util.newBuffer([]);
                Have.prototype.entries = $util.emptyArray;
                Have.prototype.last = false;
                Have.prototype.round = 0;

                Have.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                        $root.meshrelay.relay.v1.Kind.encode(message.kind, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.same != null && $Object.hasOwnProperty.call(message, "same") && message.same !== false)
                        writer.uint32(16).bool(message.same);
                    if (message.bucketDigests != null && $Object.hasOwnProperty.call(message, "bucketDigests") && message.bucketDigests.length)
                        writer.uint32(26).bytes(message.bucketDigests);
                    if (message.entries != null && message.entries.length)
                        for (let i = 0; i < message.entries.length; ++i)
                            $root.meshrelay.relay.v1.Entry.encode(message.entries[i], writer.uint32(34).fork(), _depth + 1).ldelim();
                    if (message.last != null && $Object.hasOwnProperty.call(message, "last") && message.last !== false)
                        writer.uint32(40).bool(message.last);
                    if (message.round != null && $Object.hasOwnProperty.call(message, "round") && message.round !== 0)
                        writer.uint32(48).uint32(message.round);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Have.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Have();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.kind = $root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1, message.kind);
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.same = value;
                                else
                                    delete message.same;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.bucketDigests = value;
                                else
                                    delete message.bucketDigests;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.entries && message.entries.length))
                                    message.entries = [];
                                message.entries.push($root.meshrelay.relay.v1.Entry.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.last = value;
                                else
                                    delete message.last;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.round = value;
                                else
                                    delete message.round;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Have;
            })();

            v1.Entry = (function() {

                const Entry = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Entry.prototype.namespace = "";
                Entry.prototype.name = "";
                Entry.prototype.hash = $util.newBuffer([]);

                Entry.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.namespace != null && $Object.hasOwnProperty.call(message, "namespace") && message.namespace !== "")
                        writer.uint32(10).string(message.namespace);
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(18).string(message.name);
                    if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash.length)
                        writer.uint32(26).bytes(message.hash);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Entry.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Entry();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.namespace = value;
                                else
                                    delete message.namespace;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.hash = value;
                                else
                                    delete message.hash;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Entry;
            })();

            v1.Delta = (function() {

                const Delta = function (properties) {
                    this.upserts = [];
                    this.deletes = [];
                    this.oversized = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Delta.prototype.number = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Delta.prototype.kind = null;
                Delta.prototype.upserts = $util.emptyArray;
                Delta.prototype.deletes = $util.emptyArray;
                Delta.prototype.complete = false;
                Delta.prototype.oversized = $util.emptyArray;

                Delta.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.number != null && $Object.hasOwnProperty.call(message, "number") && (typeof message.number === "object" ? message.number.low || message.number.high : message.number !== 0))
                        writer.uint32(8).uint64(message.number);
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                        $root.meshrelay.relay.v1.Kind.encode(message.kind, writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.upserts != null && message.upserts.length)
                        for (let i = 0; i < message.upserts.length; ++i)
                            $root.meshrelay.relay.v1.Envelope.encode(message.upserts[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.deletes != null && message.deletes.length)
                        for (let i = 0; i < message.deletes.length; ++i)
                            $root.meshrelay.relay.v1.Key.encode(message.deletes[i], writer.uint32(34).fork(), _depth + 1).ldelim();
                    if (message.complete != null && $Object.hasOwnProperty.call(message, "complete") && message.complete !== false)
                        writer.uint32(40).bool(message.complete);
                    if (message.oversized != null && message.oversized.length)
                        for (let i = 0; i < message.oversized.length; ++i)
                            $root.meshrelay.relay.v1.ObjectRejection.encode(message.oversized[i], writer.uint32(50).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Delta.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Delta();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.number = value;
                                else
                                    delete message.number;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.kind = $root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1, message.kind);
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.upserts && message.upserts.length))
                                    message.upserts = [];
                                message.upserts.push($root.meshrelay.relay.v1.Envelope.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.deletes && message.deletes.length))
                                    message.deletes = [];
                                message.deletes.push($root.meshrelay.relay.v1.Key.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.complete = value;
                                else
                                    delete message.complete;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.oversized && message.oversized.length))
                                    message.oversized = [];
                                message.oversized.push($root.meshrelay.relay.v1.ObjectRejection.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Delta;
            })();

            v1.Key = (function() {

                const Key = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Key.prototype.namespace = "";
                Key.prototype.name = "";

                Key.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.namespace != null && $Object.hasOwnProperty.call(message, "namespace") && message.namespace !== "")
                        writer.uint32(10).string(message.namespace);
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(18).string(message.name);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Key.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Key();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.namespace = value;
                                else
                                    delete message.namespace;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Key;
            })();

            v1.Envelope = (function() {

                const Envelope = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Envelope.prototype.namespace = "";
                Envelope.prototype.name = "";
                Envelope.prototype.hash = $util.newBuffer([]);
                Envelope.prototype.body = $util.newBuffer([]);
                Envelope.prototype.total = 0;
                Envelope.prototype.offset = 0;

                Envelope.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.namespace != null && $Object.hasOwnProperty.call(message, "namespace") && message.namespace !== "")
                        writer.uint32(10).string(message.namespace);
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(18).string(message.name);
                    if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash.length)
                        writer.uint32(26).bytes(message.hash);
                    if (message.body != null && $Object.hasOwnProperty.call(message, "body") && message.body.length)
                        writer.uint32(34).bytes(message.body);
                    if (message.total != null && $Object.hasOwnProperty.call(message, "total") && message.total !== 0)
                        writer.uint32(40).uint32(message.total);
                    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && message.offset !== 0)
                        writer.uint32(48).uint32(message.offset);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Envelope.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Envelope();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.namespace = value;
                                else
                                    delete message.namespace;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.hash = value;
                                else
                                    delete message.hash;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.body = value;
                                else
                                    delete message.body;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.total = value;
                                else
                                    delete message.total;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.offset = value;
                                else
                                    delete message.offset;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Envelope;
            })();

            v1.Ack = (function() {

                const Ack = function (properties) {
                    this.refused = [];
                    this.behind = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Ack.prototype.number = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Ack.prototype.result = 0;
                Ack.prototype.refused = $util.emptyArray;
                Ack.prototype.behind = $util.emptyArray;

                Ack.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.number != null && $Object.hasOwnProperty.call(message, "number") && (typeof message.number === "object" ? message.number.low || message.number.high : message.number !== 0))
                        writer.uint32(8).uint64(message.number);
                    if (message.result != null && $Object.hasOwnProperty.call(message, "result") && message.result !== 0)
                        writer.uint32(16).int32(message.result);
                    if (message.refused != null && message.refused.length)
                        for (let i = 0; i < message.refused.length; ++i)
                            $root.meshrelay.relay.v1.ObjectRejection.encode(message.refused[i], writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.behind != null && message.behind.length)
                        for (let i = 0; i < message.behind.length; ++i)
                            writer.uint32(34).string(message.behind[i]);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Ack.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Ack();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.number = value;
                                else
                                    delete message.number;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.int32())
                                    message.result = value;
                                else
                                    delete message.result;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.refused && message.refused.length))
                                    message.refused = [];
                                message.refused.push($root.meshrelay.relay.v1.ObjectRejection.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.behind && message.behind.length))
                                    message.behind = [];
                                message.behind.push(reader.stringVerify());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Ack;
            })();

            v1.DeltaResult = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "DELTA_RESULT_UNSPECIFIED"] = 0;
                values[valuesById[1] = "DELTA_RESULT_ACCEPTED"] = 1;
                values[valuesById[2] = "DELTA_RESULT_HELD"] = 2;
                values[valuesById[3] = "DELTA_RESULT_STALE"] = 3;
                return values;
            })();

            v1.ObjectRejection = (function() {

                const ObjectRejection = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                ObjectRejection.prototype.kind = null;
                ObjectRejection.prototype.namespace = "";
                ObjectRejection.prototype.name = "";
                ObjectRejection.prototype.hash = $util.newBuffer([]);
                ObjectRejection.prototype.code = "";
                ObjectRejection.prototype.reason = "";

                ObjectRejection.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                        $root.meshrelay.relay.v1.Kind.encode(message.kind, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.namespace != null && $Object.hasOwnProperty.call(message, "namespace") && message.namespace !== "")
                        writer.uint32(18).string(message.namespace);
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(26).string(message.name);
                    if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash.length)
                        writer.uint32(34).bytes(message.hash);
                    if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== "")
                        writer.uint32(42).string(message.code);
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(50).string(message.reason);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                ObjectRejection.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.ObjectRejection();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.kind = $root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1, message.kind);
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.namespace = value;
                                else
                                    delete message.namespace;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.hash = value;
                                else
                                    delete message.hash;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.code = value;
                                else
                                    delete message.code;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return ObjectRejection;
            })();

            v1.Resync = (function() {

                const Resync = function (properties) {
                    this.kinds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Resync.prototype.kinds = $util.emptyArray;
                Resync.prototype.reason = "";

                Resync.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kinds != null && message.kinds.length)
                        for (let i = 0; i < message.kinds.length; ++i)
                            $root.meshrelay.relay.v1.Kind.encode(message.kinds[i], writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(18).string(message.reason);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Resync.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Resync();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.kinds && message.kinds.length))
                                    message.kinds = [];
                                message.kinds.push($root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Resync;
            })();

            v1.VectorUpdate = (function() {

                const VectorUpdate = function (properties) {
                    this.components = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                VectorUpdate.prototype.full = false;
                VectorUpdate.prototype.components = $util.emptyArray;
                VectorUpdate.prototype.last = false;

                VectorUpdate.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.full != null && $Object.hasOwnProperty.call(message, "full") && message.full !== false)
                        writer.uint32(8).bool(message.full);
                    if (message.components != null && message.components.length)
                        for (let i = 0; i < message.components.length; ++i)
                            $root.meshrelay.relay.v1.Component.encode(message.components[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.last != null && $Object.hasOwnProperty.call(message, "last") && message.last !== false)
                        writer.uint32(24).bool(message.last);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                VectorUpdate.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.VectorUpdate();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.full = value;
                                else
                                    delete message.full;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.components && message.components.length))
                                    message.components = [];
                                message.components.push($root.meshrelay.relay.v1.Component.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.last = value;
                                else
                                    delete message.last;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return VectorUpdate;
            })();

            v1.Component = (function() {

                const Component = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Component.prototype.name = "";
                Component.prototype.term = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Component.prototype.seq = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Component.prototype.gone = false;

                Component.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(10).string(message.name);
                    if (message.term != null && $Object.hasOwnProperty.call(message, "term") && (typeof message.term === "object" ? message.term.low || message.term.high : message.term !== 0))
                        writer.uint32(16).uint64(message.term);
                    if (message.seq != null && $Object.hasOwnProperty.call(message, "seq") && (typeof message.seq === "object" ? message.seq.low || message.seq.high : message.seq !== 0))
                        writer.uint32(24).uint64(message.seq);
                    if (message.gone != null && $Object.hasOwnProperty.call(message, "gone") && message.gone !== false)
                        writer.uint32(32).bool(message.gone);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Component.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Component();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.term = value;
                                else
                                    delete message.term;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.seq = value;
                                else
                                    delete message.seq;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.gone = value;
                                else
                                    delete message.gone;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Component;
            })();

            v1.Heartbeat = (function() {

                const Heartbeat = function (properties) {
                    this.lags = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Heartbeat.prototype.answered = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                Heartbeat.prototype.lags = $util.emptyArray;

                Heartbeat.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.answered != null && $Object.hasOwnProperty.call(message, "answered") && (typeof message.answered === "object" ? message.answered.low || message.answered.high : message.answered !== 0))
                        writer.uint32(8).uint64(message.answered);
                    if (message.lags != null && message.lags.length)
                        for (let i = 0; i < message.lags.length; ++i)
                            $root.meshrelay.relay.v1.KindLag.encode(message.lags[i], writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Heartbeat.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Heartbeat();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.answered = value;
                                else
                                    delete message.answered;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.lags && message.lags.length))
                                    message.lags = [];
                                message.lags.push($root.meshrelay.relay.v1.KindLag.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Heartbeat;
            })();

            v1.KindLag = (function() {

                const KindLag = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                KindLag.prototype.kind = null;
                KindLag.prototype.entries = 0;
                KindLag.prototype.age = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                KindLag.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                        $root.meshrelay.relay.v1.Kind.encode(message.kind, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.entries != null && $Object.hasOwnProperty.call(message, "entries") && message.entries !== 0)
                        writer.uint32(16).uint32(message.entries);
                    if (message.age != null && $Object.hasOwnProperty.call(message, "age") && (typeof message.age === "object" ? message.age.low || message.age.high : message.age !== 0))
                        writer.uint32(24).uint64(message.age);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                KindLag.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.KindLag();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.kind = $root.meshrelay.relay.v1.Kind.decode(reader, reader.size(), $undefined, _depth + 1, message.kind);
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.entries = value;
                                else
                                    delete message.entries;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.age = value;
                                else
                                    delete message.age;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return KindLag;
            })();

            v1.Move = (function() {

                const Move = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                Move.prototype.reason = "";
                Move.prototype.within = 0;

                Move.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(10).string(message.reason);
                    if (message.within != null && $Object.hasOwnProperty.call(message, "within") && message.within !== 0)
                        writer.uint32(16).uint32(message.within);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                Move.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.Move();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.within = value;
                                else
                                    delete message.within;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Move;
            })();

            v1.InvokeRequest = (function() {

                const InvokeRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                InvokeRequest.prototype.hello = null;
                InvokeRequest.prototype.reply = null;

                let $oneOfFields;

                $Object.defineProperty(InvokeRequest.prototype, "message", {
                    get: $util.oneOfGetter($oneOfFields = ["hello", "reply"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                InvokeRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.hello != null && $Object.hasOwnProperty.call(message, "hello"))
                        $root.meshrelay.relay.v1.Hello.encode(message.hello, writer.uint32(10).fork(), _depth + 1).ldelim();
                    if (message.reply != null && $Object.hasOwnProperty.call(message, "reply"))
                        $root.meshrelay.relay.v1.InvokeReply.encode(message.reply, writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                InvokeRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.InvokeRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.hello = $root.meshrelay.relay.v1.Hello.decode(reader, reader.size(), $undefined, _depth + 1, message.hello);
                                message.message = "hello";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.reply = $root.meshrelay.relay.v1.InvokeReply.decode(reader, reader.size(), $undefined, _depth + 1, message.reply);
                                message.message = "reply";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return InvokeRequest;
            })();

            v1.InvokeResponse = (function() {

                const InvokeResponse = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                InvokeResponse.prototype.welcome = null;
                InvokeResponse.prototype.call = null;
                InvokeResponse.prototype.cancel = null;
                InvokeResponse.prototype.grant = null;

                let $oneOfFields;

                $Object.defineProperty(InvokeResponse.prototype, "message", {
                    get: $util.oneOfGetter($oneOfFields = ["welcome", "call", "cancel", "grant"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                InvokeResponse.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome"))
                        $root.meshrelay.relay.v1.Welcome.encode(message.welcome, writer.uint32(18).fork(), _depth + 1).ldelim();
                    if (message.call != null && $Object.hasOwnProperty.call(message, "call"))
                        $root.meshrelay.relay.v1.InvokeCall.encode(message.call, writer.uint32(26).fork(), _depth + 1).ldelim();
                    if (message.cancel != null && $Object.hasOwnProperty.call(message, "cancel"))
                        $root.meshrelay.relay.v1.InvokeCancel.encode(message.cancel, writer.uint32(34).fork(), _depth + 1).ldelim();
                    if (message.grant != null && $Object.hasOwnProperty.call(message, "grant"))
                        $root.meshrelay.relay.v1.InvokeGrant.encode(message.grant, writer.uint32(42).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                InvokeResponse.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.InvokeResponse();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.welcome = $root.meshrelay.relay.v1.Welcome.decode(reader, reader.size(), $undefined, _depth + 1, message.welcome);
                                message.message = "welcome";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.call = $root.meshrelay.relay.v1.InvokeCall.decode(reader, reader.size(), $undefined, _depth + 1, message.call);
                                message.message = "call";
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.cancel = $root.meshrelay.relay.v1.InvokeCancel.decode(reader, reader.size(), $undefined, _depth + 1, message.cancel);
                                message.message = "cancel";
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.grant = $root.meshrelay.relay.v1.InvokeGrant.decode(reader, reader.size(), $undefined, _depth + 1, message.grant);
                                message.message = "grant";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return InvokeResponse;
            })();

            v1.InvokeCall = (function() {

                const InvokeCall = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                InvokeCall.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                InvokeCall.prototype.method = "";
                InvokeCall.prototype["arguments"] = $util.newBuffer([]);
                InvokeCall.prototype.timeout = 0;
                InvokeCall.prototype.credits = 0;

                InvokeCall.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
                        writer.uint32(8).uint64(message.id);
                    if (message.method != null && $Object.hasOwnProperty.call(message, "method") && message.method !== "")
                        writer.uint32(18).string(message.method);
                    if (message["arguments"] != null && $Object.hasOwnProperty.call(message, "arguments") && message["arguments"].length)
                        writer.uint32(26).bytes(message["arguments"]);
                    if (message.timeout != null && $Object.hasOwnProperty.call(message, "timeout") && message.timeout !== 0)
                        writer.uint32(32).uint32(message.timeout);
                    if (message.credits != null && $Object.hasOwnProperty.call(message, "credits") && message.credits !== 0)
                        writer.uint32(40).uint32(message.credits);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                InvokeCall.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.InvokeCall();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.id = value;
                                else
                                    delete message.id;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.method = value;
                                else
                                    delete message.method;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message["arguments"] = value;
                                else
                                    delete message["arguments"];
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.timeout = value;
                                else
                                    delete message.timeout;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.credits = value;
                                else
                                    delete message.credits;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return InvokeCall;
            })();

            v1.InvokeCancel = (function() {

                const InvokeCancel = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                InvokeCancel.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                InvokeCancel.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
                        writer.uint32(8).uint64(message.id);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                InvokeCancel.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.InvokeCancel();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.id = value;
                                else
                                    delete message.id;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return InvokeCancel;
            })();

            v1.InvokeGrant = (function() {

                const InvokeGrant = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                InvokeGrant.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                InvokeGrant.prototype.credits = 0;

                InvokeGrant.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
                        writer.uint32(8).uint64(message.id);
                    if (message.credits != null && $Object.hasOwnProperty.call(message, "credits") && message.credits !== 0)
                        writer.uint32(16).uint32(message.credits);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                InvokeGrant.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.InvokeGrant();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.id = value;
                                else
                                    delete message.id;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.credits = value;
                                else
                                    delete message.credits;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return InvokeGrant;
            })();

            v1.InvokeReply = (function() {

                const InvokeReply = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                InvokeReply.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;
                InvokeReply.prototype.result = $util.newBuffer([]);
                InvokeReply.prototype.last = false;
                InvokeReply.prototype.code = "";
                InvokeReply.prototype.error = "";

                InvokeReply.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
                        writer.uint32(8).uint64(message.id);
                    if (message.result != null && $Object.hasOwnProperty.call(message, "result") && message.result.length)
                        writer.uint32(18).bytes(message.result);
                    if (message.last != null && $Object.hasOwnProperty.call(message, "last") && message.last !== false)
                        writer.uint32(24).bool(message.last);
                    if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== "")
                        writer.uint32(34).string(message.code);
                    if (message.error != null && $Object.hasOwnProperty.call(message, "error") && message.error !== "")
                        writer.uint32(42).string(message.error);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                InvokeReply.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.meshrelay.relay.v1.InvokeReply();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.id = value;
                                else
                                    delete message.id;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.result = value;
                                else
                                    delete message.result;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.last = value;
                                else
                                    delete message.last;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.code = value;
                                else
                                    delete message.code;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.error = value;
                                else
                                    delete message.error;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return InvokeReply;
            })();

            return v1;
        })();

        return relay;
    })();

    return meshrelay;
})();

export {
  $root as default
};
