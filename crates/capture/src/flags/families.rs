//! The families `-f…` and `-m…`, without `-f`, `-fno-`, `-m` and `-mno-`.

use super::rules::Action::{Drop, Keep, Refuse};
use super::rules::Row;

/// Options that begin with `-f` or `-fno-`.
pub(super) const F: &[Row] = &[
    (
        Keep,
        "types of characters, enumerations and bit-fields",
        "signed-char unsigned-char short-enums short-wchar char8_t signed-bitfields unsigned-bitfields \
         strict-enums aapcs-bitfield-load aapcs-bitfield-width fine-grained-bitfield-accesses \
         force-enable-int128 fixed-point",
    ),
    (
        Keep,
        "what overflow of integers and pointers means",
        "wrapv wrapv-pointer trapv trapv-handler=* strict-overflow delete-null-pointer-checks",
    ),
    (
        Keep,
        "what floating-point operations mean",
        "fast-math finite-math-only associative-math reciprocal-math signed-zeros honor-infinities \
         honor-nans math-errno trapping-math rounding-math signaling-math unsafe-math-optimizations \
         approx-func fp-contract=* fp-model=* fp-eval-method=* fp-exception-behavior=* denormal-fp-math=* \
         denormal-fp-math-f32=* excess-precision=* cx-limited-range cx-fortran-rules complex-arithmetic=* \
         strict-float-cast-overflow experimental-strict-floating-point",
    ),
    (
        Keep,
        "dialects of C and C++",
        "ms-extensions ms-compatibility ms-compatibility-version=* msc-version=* ms-volatile ms-define-stdc \
         gnu-keywords gnu89-inline gnuc-version=* asm asm-blocks gnu-inline-asm blocks borland-extensions \
         pascal-strings dollars-in-identifiers digraphs trigraphs operator-names declspec \
         delayed-template-parsing double-square-bracket-attributes raw-string-literals writable-strings \
         named-loops defer-ts heinous-gnu-extensions knr-functions xl-pragma-pack apple-pragma-pack \
         zos-extensions relaxed-template-template-args access-control coroutines coroutines-ts \
         coro-aligned-allocation permissive plan9-extensions input-charset=* exec-charset=* \
         wide-exec-charset=* preprocessed directives-only define-target-os-macros strict-flex-arrays=* \
         allow-editor-placeholders experimental-late-parse-attributes experimental-library",
    ),
    (
        Keep,
        "vectors, matrices, parallel loops on this machine",
        "altivec altivec-src-compat=* zvector lax-vector-conversions lax-vector-conversions=* enable-matrix \
         openmp openmp=* openmp-simd openmp-version=* openmp-extensions openmp-use-tls \
         openmp-enable-irbuilder",
    ),
    (
        Keep,
        "limits of the compiler that a build raises",
        "constexpr-depth=* constexpr-steps=* template-depth=* template-depth-* bracket-depth=* \
         operator-arrow-depth=*",
    ),
    (
        Keep,
        "what library functions mean, and whether there is a library",
        "builtin builtin-* freestanding hosted new-infallible assume-sane-operator-new check-new",
    ),
    (
        Keep,
        "exceptions and types at run time",
        "exceptions cxx-exceptions async-exceptions non-call-exceptions sjlj-exceptions seh-exceptions \
         dwarf-exceptions wasm-exceptions ignore-exceptions assume-nothrow-exception-dtor rtti rtti-data",
    ),
    (
        Keep,
        "binary interface: layout, calls, construction, linkage",
        "c++-abi=* clang-abi-compat=* c++-static-destructors c++-static-destructors=* elide-constructors \
         sized-deallocation aligned-allocation aligned-new aligned-new=* new-alignment=* threadsafe-statics \
         use-cxa-atexit use-init-array register-global-dtors-with-atexit pcc-struct-return \
         reg-struct-return pack-struct pack-struct=* max-type-align max-type-align=* common emulated-tls \
         tls-model=* visibility=* visibility-* experimental-relative-c++-abi-vtables \
         complete-member-pointers ms-memptr-rep=* ms-runtime-lib=* ms-tls-guards ms-omit-default-lib \
         ptrauth-* apple-kext strict-vtable-pointers force-emit-vtables keep-static-consts \
         keep-persistent-storage-variables emit-all-decls merge-all-constants unique-internal-linkage-names \
         convergent-functions constant-cfstrings",
    ),
    (
        Keep,
        "what a compiler may assume of pointers, loops and ends of functions",
        "strict-aliasing strict-return pointer-tbaa struct-path-tbaa finite-loops",
    ),
    (
        Refuse,
        "runs code of the project inside of the compiler, or reads it as if it were the compiler's own",
        "plugin plugin=* plugin-* pass-plugin pass-plugin=* pass-plugin-*",
    ),
    (
        Refuse,
        "modules: they are built into a cache, or read as compiled by somebody else",
        "modules modules-* module-* cxx-modules implicit-modules implicit-module-maps prebuilt-* \
         builtin-module-map system-module apinotes*",
    ),
    (
        Refuse,
        "names a file that would be written or that decides about what is written",
        "optimization-record-* thin-link-bitcode=* proc-stat-report* codegen-data-* rewrite-map-file=* \
         randomize-layout-seed* crash-diagnostics-dir=* build-session-* depfile-entry=*",
    ),
    (
        Refuse,
        "other processors: their compilers would be started",
        "openmp-targets=* openmp-target-* openmp-offload-* openmp-new-driver openmp-cuda-* offload-* sycl \
         sycl-* cuda-* gpu-* hip-* embed-offload-object=*",
    ),
    (Refuse, "other languages", "objc-* openacc* hlsl-* dx-* spv-*"),
    (
        Drop,
        "position independence, stack and control-flow protection: nothing that we model",
        "PIC PIE pic pie plt semantic-interposition direct-access-external-data stack-protector* \
         stack-clash-protection stack-check* stack-limit* stack-reuse* split-stack cf-protection* hardened \
         harden-* trampolines zero-call-used-regs* trivial-auto-var-init* omit-frame-pointer \
         optimize-sibling-calls ropi rwpi",
    ),
    (
        Drop,
        "sections, alignment, tables",
        "function-sections data-sections section-anchors unique-section-names align-* \
         asynchronous-unwind-tables unwind-tables force-dwarf-frame jump-tables ident merge-constants \
         zero-initialized-in-bss verbose-asm dwarf2-cfi-asm gnu-unique weak min-function-alignment* \
         limit-function-alignment inhibit-size-directive addrsig basic-block-* \
         unique-basic-block-section-names separate-named-sections stack-size-section emit-compact-unwind* \
         emit-dwarf-unwind=* dwarf-directory-asm android-pad-segment partition-static-data-sections",
    ),
    (Drop, "registers", "fixed-* call-used-* call-saved-* caller-saves rename-registers ira-* lra-*"),
    (
        Drop,
        "instrumentation and profiles: calls that the programmer did not write",
        "sanitize* profile* cs-profile* test-coverage coverage* auto-profile* branch-probabilities \
         instrument-* xray* pseudo-probe* patchable-function-entry* memory-profile* condition-coverage \
         vtable-verify* vtv-* mudflap* chkp-* check-pointer-bounds live-patching* debug-info-for-profiling \
         split-machine-functions order-file-instrumentation temporal-profile create-profile jmc \
         experimental-sanitize-*",
    ),
    (
        Drop,
        "link-time optimization",
        "lto* thinlto* fat-lto-objects embed-bitcode* use-linker-plugin whole-program whole-program-vtables \
         split-lto-unit devirtualize* unified-lto virtual-function-elimination autolink \
         application-extension binutils-version=*",
    ),
    (
        Drop,
        "diagnostics, statistics, and files beside the output",
        "diagnostics* max-errors=* error-limit=* color-diagnostics ansi-escape-codes message-length* \
         show-column show-source-location caret-diagnostics elide-type template-backtrace-limit* \
         macro-backtrace-limit* pretty-templates time-trace* time-report* stack-usage callgraph-info* dump* \
         opt-info* save-optimization-record* mem-report* pre-ipa-mem-report post-ipa-mem-report stats \
         report-bug record-gcc-switches record-command-line random-seed* working-directory compare-debug* \
         checking* dbg-cnt* debug-cpp analyzer* track-macro-expansion* canonical-system-headers \
         large-source-files max-include-depth* crash-diagnostics crash-diagnostics=* show-overloads=* \
         show-skipped-includes spell-checking spell-checking-limit=* caret-diagnostics-max-lines=* \
         constexpr-backtrace-limit=* safe-buffer-usage-suggestions tabstop=* parse-all-comments \
         comment-block-commands=* retain-comments-from-system-headers use-line-directives debug-pass-* \
         file-reproducible",
    ),
    (Drop, "precompiled headers: they belong to another compiler", "pch-* ignore-pch"),
    (
        Drop,
        "debug information, which we ask for ourselves",
        "var-tracking* debug-types-section eliminate-unused-debug-* eliminate-dwarf2-dups \
         emit-struct-debug* emit-class-debug-always merge-debug-strings standalone-debug limit-debug-info \
         debug-macro debug-ranges-base-address split-dwarf-inlining discard-value-names \
         debug-default-version=*",
    ),
    (
        Drop,
        "optimizations and code generation, many of them GCC's alone",
        "aggressive-loop-optimizations allocation-dce allow-store-data-races auto-inc-dec bit-tests \
         branch-count-reg branch-target-load-optimize* btr-* check-data-deps code-hoisting \
         combine-stack-adjustments compare-elim conserve-* cprop-registers crossjumping cse-* dce defer-pop \
         delayed-branch delete-dead-exceptions dse early-inlining expensive-optimizations forward-propagate \
         force-addr function-cse gcse* graphite* guess-branch-probability hoist-adjacent-loads \
         if-conversion* indirect-inlining inline inline-* ipa-* isolate-erroneous-paths-* ivopts \
         keep-gc-roots-live keep-inline-functions keep-static-functions lifetime-dse* live-range-shrinkage \
         loop-* modulo-sched* move-loop-* optimize-register-move optimize-strlen partial-inlining \
         peel-loops peephole* predictive-commoning prefetch-loop-arrays printf-return-value ree regmove \
         reorder-* rerun-* reschedule-modulo-scheduled-loops sched* sel-sched* selective-scheduling* \
         shrink-wrap* simd-cost-model* slp-vectorize split-ivs-in-unroller split-loops split-paths \
         split-wide-types* ssa-* stdarg-opt store-merging strict-volatile-bitfields sync-libcalls \
         thread-jumps toplevel-reorder tracer tree-* unconstrained-commons unit-at-a-time unroll-* \
         unsafe-loop-optimizations unswitch-loops variable-expansion-in-unroller vect-cost-model* vectorize \
         version-loops-for-strides vpt web fp-int-builtin-inexact rtl-* assume-unique-vtables global-isel \
         experimental-isel legacy-pass-manager experimental-new-pass-manager integrated-as integrated-cc1 \
         integrated-objemitter reroll-loops verify-intermediate-code verify-* veclib=* swift-async-fp=* \
         extend-variable-liveness* extend-arguments=* experimental-loop-fusion atomic-* temp-file \
         driver-only",
    ),
    (
        Drop,
        "corners of GCC's C and C++ that clang has always, or never",
        "abi-version* abi-compat-version* allow-parameterless-variadic-functions building-libgcc concepts \
         concepts-ts concepts-diagnostics-depth* cond-mismatch constexpr-cache-depth* constexpr-loop-limit* \
         constexpr-ops-limit* declone-ctor-dtor enforce-eh-specs ext-numeric-literals extern-tls-init \
         implicit-constexpr modules-ts new-inheriting-ctors new-ttp-matching nonansi-builtins nothrow-opt \
         optional-diags strong-eval-order* use-cxa-get-exception-ptr visibility-ms-compat \
         extended-identifiers",
    ),
];

/// Options that begin with `-m` or `-mno-`.
pub(super) const M: &[Row] = &[
    (
        Keep,
        "the processor, and which of its registers and instructions programs may name",
        "arch=* cpu=* fpu=* simd=* 16 32 64 x32 iamcu general-regs-only sse sse2 sse3 sse4 sse4.1 sse4.2 \
         sse4a ssse3 sse2avx mmx 3dnow 3dnowa avx* aes pclmul sha sha512 sm3 sm4 fma fma4 f16c bmi bmi2 \
         lzcnt popcnt adx abm rdrnd rdseed rdpid rdpru fsgsbase fxsr xsave xsavec xsaveopt xsaves xop lwp \
         tbm cx16 sahf movbe movdir64b movdiri movrs prfchw prefetchi prefetchwt1 clflushopt clwb clzero \
         cldemote gfni vaes vpclmulqdq waitpkg wbnoinvd pku ptwrite pconfig sgx shstk invpcid rtm hle kl \
         widekl enqcmd amx-* apx* serialize tsxldtrk uintr usermsr hreset raoint cmpccxadd mwaitx evex512 \
         crc32 x87 80387 egpr",
    ),
    (
        Keep,
        "the same for other processors",
        "thumb arm crypto crc nocrc dsp dspr2 msa cmse fmv memops mt virt ginv mips16 micromips ips* \
         altivec vsx power8-vector power9-vector power10-vector crbits cmpb popcntd htm mma mfocrf prefixed \
         pcrel isel float128 direct-move rop-protect privileged spe efpu2 vx zvector packed-stack backchain \
         soft-float hard-float implicit-float hvx* v5 v55 v6* v7* v8* simd128 relaxed-simd atomics \
         bulk-memory bulk-memory-opt multivalue mutable-globals nontrapping-fptoint reference-types \
         sign-ext tail-call exception-handling extended-const multimemory wide-arithmetic fp16 \
         half-precision gc lasx lsx lam-bh lamcas div32 ld-seq-sa frecipe scq annotate-tablejump 68* \
         rvv-vector-bits=* sve-vector-bits=* sve-streaming-vector-bits=* vscale-min=* vscale-max=* vis vis2 \
         vis3 fsmuld popc hard-quad-float soft-quad-float fpu fprnd mcu=* sim hwmult=* hwdiv=* cumode \
         tgsplit wavefrontsize64 unsafe-fp-atomics",
    ),
    (
        Keep,
        "binary interface: sizes, layout, calls, byte order",
        "abi=* float-abi=* fpmath=* regparm=* rtd ms-bitfields align-double long-double-64 long-double-80 \
         long-double-128 double=* big-endian little-endian abicalls nan=* abs=* fp32 fp64 fpxx odd-spreg \
         single-float double-float aix-struct-return svr4-struct-return aix32 aix64 \
         default-visibility-export-mapping=* ignore-xcoff-visibility xgot local-sdata extern-sdata \
         embedded-data gpopt longcall tp=* execute-only strict-align unaligned-access unaligned-symbols \
         scalar-strict-align vector-strict-align implicit-it=* check-zero-division daz-ftz ieee-rnd-near \
         eabi dynamic-no-pic constant-cfstrings thread-model=*",
    ),
    (
        Keep,
        "the system that the program is for",
        "windows console dll unicode threads kernel macos-version-min=* macosx-version-min=* \
         ios-version-min=* ios-simulator-version-min=* iphoneos-version-min=* tvos-version-min=* \
         watchos-version-min=* watchos-simulator-version-min=* targetos=* exec-model=*",
    ),
    (
        Refuse,
        "switches inside of LLVM, which know plugins and output files",
        "llvm=* mlir=* link-builtin-bitcode*",
    ),
    (
        Drop,
        "tuning, mitigations, alignment and other code generation",
        "tune=* cmodel=* red-zone preferred-stack-boundary=* incoming-stack-boundary=* stackrealign \
         stack-alignment=* stack-probe-size=* stack-arg-probe accumulate-outgoing-args push-args \
         indirect-branch* function-return=* harden-sls=* skip-rax-setup fentry* record-mcount nop-mcount \
         record-return instrument-return=* branch-cost=* branch-protection=* stringop-strategy=* \
         memcpy-strategy=* memset-strategy=* inline-all-stringops inline-stringops-dynamically \
         align-stringops omit-leaf-frame-pointer vzeroupper avx256-split-* prefer-avx128 \
         prefer-vector-width=* move-max=* store-max=* tls-direct-seg-refs tls-dialect=* tls-size=* \
         retpoline* lvi-* speculative-load-hardening large-data-threshold* fp-ret-in-387 fancy-math-387 \
         recip* stv cld dispatch-scheduler dump-tune-features print-tune-info verbose-cost-dump sched-* \
         poke-function-name thumb-interwork apcs* abort-on-noreturn structure-size-boundary=* tpcs-* \
         single-pic-base pic-register=* pic-data-is-text-relative word-relocations slow-flash-data \
         fix-cortex-* fix-cmse-* callee-super-interworking caller-super-interworking neon-for-64bits \
         vectorize-with-neon-* asm-syntax-unified flip-thumb pc32 pc64 pc80 stack-protector-guard* needed \
         manual-endbr cet-switch direct-extern-access relax* force-drap force-indirect-call \
         call-ms2sysv-xlogues mitigate-rop 8bit-idiv long-calls low-precision-* restrict-it save-restore \
         outline* fix-cortex* fdpic print-multi* android bionic glibc musl uclibc 128bit-long-double \
         fused-madd libarch=* branches-within-32B-boundaries align-branch=* align-branch-boundary=* \
         pad-max-prefix-size=* global-merge incremental-linker-compatible linker-version=* \
         small-data-limit=* small-data-threshold=* cf-branch-label-scheme=* sign-return-address=* \
         bti-at-return-twice mark-bti-property guard=* regnames packets nvj nvs secure-plt tocdata \
         tocdata=* constructor-aliases default-build-attributes invariant-function-descriptors \
         paired-vector-memops frame-chain=* movt branch-likely compact-branches=* indirect-jump=* ldc1-sdc1 \
         madd4 fix4300 zos-*",
    ),
];
